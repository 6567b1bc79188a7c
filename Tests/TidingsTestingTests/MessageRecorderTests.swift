// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct MessageRecorderTests {
    private struct Step: Message, Equatable {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    private let center = MessageCenter()
    private let recorder: MessageRecorder<Step>

    init() {
        recorder = MessageRecorder(on: center)
    }

    private func post(_ numbers: Int...) {
        for number in numbers { center.post(Step(number)) }
    }

    @Test func returnsTheMessagesInOrder() async throws {
        post(1, 2)
        #expect(try await recorder.next() == Step(1))
        #expect(try await recorder.next() == Step(2))
        #expect(recorder.messages.map(\.number) == [1, 2])
    }

    @Test func waitsForLaterMessages() async throws {
        async let two = recorder.first(2)
        async let third = recorder.element(at: 2)
        post(1, 2, 3)
        #expect(try await two.map(\.number) == [1, 2])
        #expect(try await third == Step(3))
    }

    @Test func returnsTheNthMessageWithoutReadingIt() async throws {
        post(1, 2)
        #expect(try await recorder.element(at: 1) == Step(2))
        #expect(try await recorder.element(at: 0) == Step(1))
        #expect(try await recorder.next() == Step(1))
        #expect(try await recorder.first(0).isEmpty)
    }

    @Test func waitsUntilAConditionHolds() async throws {
        let asked = MessageRecorder(Step.self, on: center)
        async let all = recorder.wait { $0.contains(Step(3)) }
        post(1, 2, 3)
        #expect(try await all.contains(Step(3)))
        #expect(try await asked.wait { $0.count == 3 }.map(\.number) == [1, 2, 3])
    }

    @Test func anErrorOfTheConditionEndsTheWait() async {
        struct Refused: Error {}
        await #expect(throws: Refused.self) { try await recorder.wait { _ in throw Refused() } }
    }

    @Test func severalTasksShareTheMessages() async throws {
        let readers = (0..<3).map { _ in Task { [recorder] in try await recorder.next().number } }
        post(1, 2, 3)
        var numbers: Set<Int> = []
        for reader in readers { numbers.insert(try await reader.value) }
        #expect(numbers == [1, 2, 3])
    }

    @Test func aCancelledWaitReadsNothingAndListsTheMessages() async throws {
        let waiting = Task { [recorder] in try await recorder.element(at: 1) }
        let next = Task { [recorder] in try await recorder.next() }
        next.cancel()
        await #expect(throws: TidingsTestingError.self) { try await next.value }
        post(1)
        waiting.cancel()
        let error = await #expect(throws: TidingsTestingError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        #expect(error?.cause is CancellationError)
        #expect(error?.message.hasSuffix("2 messages\nRecorded: Step(number: 1)") == true)
        #expect(try await recorder.next() == Step(1))
    }

    @Test func expectsMessagesInOrderAndContinuesAfterThem() async throws {
        async let first: Void = recorder.expect(Step(1), Step(2))
        post(1, 2, 3)
        try await first
        try await recorder.expect(Step(3))
        try recorder.expectNothing()
    }

    @Test func failsAtTheFirstDifferentMessageWithTheDifference() async throws {
        post(1, 3)
        let error = await #expect(throws: TidingsTestingError.self) {
            try await recorder.expect(Step(1), Step(2), Step(3), Step(4))
        }
        #expect(error?.code == .otherOrder)
        #expect(
            error?.message == """
                Message 1 is different
                (- expected, + recorded)
                  Step(number: 1)
                - Step(number: 2)
                  Step(number: 3)
                - Step(number: 4)
                """
        )
        #expect(
            error?.location.hasPrefix("TidingsTestingTests/MessageRecorderTests.swift:") == true
        )
        #expect(try await recorder.next() == Step(1))
    }

    @Test func expectNothingThrowsForAnUnreadMessage() async throws {
        try recorder.expectNothing()
        post(1, 2)
        _ = try await recorder.next()
        let error = #expect(throws: TidingsTestingError.self) { try recorder.expectNothing() }
        #expect(error?.code == .unexpectedMessage)
        #expect(
            error?.message == """
                No further message was expected
                (- expected, + recorded)
                + Step(number: 2)
                """
        )
    }

    @Test func isCalledAfterTheOtherHandlers() async throws {
        let log = MessageLog(on: center)
        log.record(Step.self, priority: .high) { "first \($0.number)" }
        log.record(Step.self) { "last \($0.number)" }
        let token = center.messages(of: Step.self).priority(.low).observe {
            log.note("handler \($0.number)")
        }
        post(1)
        try await log.expect("first 1", "handler 1", "last 1")
        token.cancel()
    }

    @Test func stopsRecordingWhenItIsReleasedAndRetainsNoCenter() {
        weak var released: MessageCenter?
        var recorder: MessageRecorder<Step>?
        do {
            let center = MessageCenter()
            released = center
            recorder = MessageRecorder(on: center)
            #expect(center.count(of: Step.self) == 1)
            recorder = nil
            #expect(center.count(of: Step.self) == 0)
            recorder = MessageRecorder(on: center)
        }
        #expect(released == nil)
        #expect(recorder?.messages.isEmpty == true)
    }

    @Test func rejectsANegativeIndex() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = try await MessageRecorder(Step.self, on: MessageCenter()).element(at: -1)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("The index -1 is negative. Count messages from 0."))
    }
}
