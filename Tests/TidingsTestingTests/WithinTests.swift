// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct WithinTests {
    private struct Step: Message {}
    private struct Refused: Error {}

    private let clock = ManualClock()

    @Test func returnsTheValueOfTheBody() async throws {
        let value = try await within(.seconds(5), clock: clock) { 7 }
        #expect(value == 7)
        #expect(clock.sleeperCount == 0)
    }

    @Test func rethrowsTheErrorOfTheBody() async {
        await #expect(throws: Refused.self) {
            try await within(.seconds(5), clock: clock) { throw Refused() }
        }
    }

    @Test func aTimedOutWaitIsCancelledAndListsTheRecordedNames() async throws {
        let log = MessageLog(Step.self, on: MessageCenter())
        log.note("begin")
        let waiting = Task { [clock] in
            try await within(.seconds(5), clock: clock) { try await log.expect("begin", "Step") }
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: TidingsTestingError.self) { try await waiting.value }
        #expect(error?.code == .timedOut)
        #expect((error?.cause as? TidingsTestingError)?.code == .cancelled)
        #expect(error?.message.hasPrefix("Timed out after 5.0 seconds. cancelled at ") == true)
        #expect(error?.message.hasSuffix("\n  begin\n- Step") == true)
    }

    @Test func aBodyThatReturnsAfterTheLimitStillSucceeds() async throws {
        let (entered, gate) = (Gate(), Gate())
        let waiting = Task { [clock] in
            try await within(.seconds(5), clock: clock) {
                entered.open()
                return await Task { (try? await gate.wait()) == nil ? 0 : 7 }.value
            }
        }
        try await entered.wait()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        gate.open()
        #expect(try await waiting.value == 7)
    }

    @Test func cancellingTheCallerCancelsTheBody() async throws {
        let gate = Gate()
        let waiting = Task { [clock] in
            try await within(.seconds(5), clock: clock) { try await gate.wait() }
        }
        try await clock.waitForSleepers()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @MainActor @Test func theBodyMayRunOnTheMainActor() async throws {
        let title = Title()
        try await within(.seconds(120)) { @MainActor in title.text = "done" }
        #expect(title.text == "done")
    }

    @MainActor private final class Title {
        var text = ""
    }
}
