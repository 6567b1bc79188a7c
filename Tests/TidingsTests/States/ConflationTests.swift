// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

/// Observers of states that receive only the newest state.
@Suite(.timeLimit(.minutes(15)))
struct ConflationTests {
    private let publisher = StatePublisher<Int>()
    private let log = Log<String>()
    private let begun = Gate()
    private let gate = Gate()
    private let done = Gate()

    /// Sets many states while the handler is busy with the first.
    private func setMany() async throws {
        try await begun.wait()
        for number in 1...1_000 { publisher.updateData(number) }
        gate.open()
        try await done.wait()
    }

    private var handler: @Sendable (LoadState<Int>) async throws -> Void {
        { [log, begun, gate, done] state in
            begun.open()
            try await gate.wait()
            log(text(state))
            if state.value == 1_000 { done.open() }
        }
    }

    @Test func s2_aSlowHandlerReceivesTheNewestState() async throws {
        let token = publisher.states.buffering(.newest(1)).observe(handler)
        try await setMany()
        #expect(log.all == ["unknown", "loaded 1000"])
        #expect(token.dropped == 999)
        token.cancel()
    }

    @Test func s2_aSlowOwnerReceivesTheNewestState() async throws {
        let owner = Owner()
        let handler = handler
        let token = publisher.states.buffering(.newest(1)).observe(owner: owner) {
            try await handler($1)
        }
        try await setMany()
        #expect(log.all == ["unknown", "loaded 1000"])
        token.cancel()
    }

    @MainActor @Test func s2_aScreenReceivesTheNewestOfTheStatesThatWait() async {
        let token = publisher.states.buffering(.newest(1)).observe(on: .main) { [log] state in
            log(text(state))
        }
        let isFree = finishesOnAnotherThread { [publisher] in
            for number in 1...10 { publisher.updateData(number) }
        }
        #expect(isFree)
        #expect(token.pending == 1)
        publisher.updateData(11)
        #expect(log.all == ["unknown", "loaded 10", "loaded 11"])
        token.cancel()
    }

    @Test func s2_statesThatWaitForTheDeliveryAreReplacedAsWell() async throws {
        let token = publisher.states.buffering(.newest(1)).observe(handler)
        try await begun.wait()
        #expect(publisher.delivery.channel.wantsOnlyLatest)
        token.cancel()
        gate.open()
    }

    @Test func anOwnerWithAMailboxMaySubscribeAsWell() async throws {
        let screen = Owner()
        let log = Log<LoadPhase>()
        publisher.states.buffering(.newest(1)).observe(owner: screen) { _, _ async in }
        publisher.addSubscription(of: screen) { log($1.state.phase) }
        publisher.endSubscription(of: screen)
        #expect(log.all == [.unknown])
        #expect(publisher.observerCount == 1)
    }
}
