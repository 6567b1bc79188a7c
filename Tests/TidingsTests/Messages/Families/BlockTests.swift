// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct BlockTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    @Test func m4_messagesPassABlockedObservationByAndCountItAsAddressed() {
        let owner = Owner()
        let plain = center.observe(Ping.self) { [log] in log($0.number) }
        let owned = center.observe(Ping.self, owner: owner) { $0.log($1.number) }
        for token in [plain, owned] { token.block() }
        #expect(plain.isBlocked)
        #expect(center.post(Ping(number: 1)) == 2)
        for token in [plain, owned] { token.resume() }
        #expect(!plain.isBlocked)
        #expect(center.post(Ping(number: 2)) == 2)
        #expect(log.all == [2])
        #expect(owner.log.all == [2])
    }

    @Test func m5_afterBlockNoCallBeginsInAPostInProgress() {
        let victims = (0..<3).map { _ in center.observe(Ping.self) { [log] in log($0.number) } }
        center.messages(of: Ping.self).priority(.high).observe { _ in
            for victim in victims { victim.block() }
        }.store(in: bag)
        #expect(center.post(Ping(number: 1)) == 4)
        #expect(log.all.isEmpty)
    }

    @Test func aPostThatIsQueuedWhenTheBlockBeginsPassesBy() {
        let victim = center.observe(Ping.self) { [log] in log($0.number) }
        center.observe(Pong.self) { [center] _ in
            center.post(Ping(number: 1))
            victim.block()
        }.store(in: bag)
        center.post(Pong())
        #expect(log.all.isEmpty)
    }

    @MainActor @Test func whatIsQueuedForTheMainActorPassesByIfEitherEndIsBlocked() {
        let token = center.observe(Ping.self, on: .main) { [log] in log($0.number) }
        token.block()
        postElsewhere(1)
        token.resume()
        postElsewhere(2)
        // On the main actor the post first runs the pending calls.
        center.post(Ping(number: 3))
        #expect(log.all == [2, 3])
        postElsewhere(4)
        token.block()
        center.post(Ping(number: 5))
        token.resume()
        center.post(Ping(number: 6))
        #expect(log.all == [2, 3, 6])
    }

    @Test func whatWaitsInAMailboxPassesByIfEitherEndIsBlocked() async throws {
        let gate = Gate()
        let entered = Gate()
        let token = center.messages(of: Ping.self).observe { [log] message in
            log(message.number)
            entered.open()
            try await gate.wait()
        }
        // The recorder is behind the mailbox, so every recorded message is pending there.
        let recorder = MessageRecorder(Ping.self, on: center)
        center.post(Ping(number: 1))
        try await entered.wait()
        let second = Task { [center] in await center.postAndWait(Ping(number: 2)) }
        _ = try await recorder.first(2)
        token.block()
        #expect(center.post(Ping(number: 3)) == 2)
        #expect(token.pending == 1)
        gate.open()
        // A message that passes by counts as done.
        _ = await second.value
        token.resume()
        await center.postAndWait(Ping(number: 5))
        #expect(log.all == [1, 5])
    }

    @Test func aBlockedObservationKeepsItsPlaceAndItsOneCall() {
        let first = center.messages(of: Ping.self).once().observe { [log] _ in log(1) }
        center.observe(Ping.self) { [log] _ in log(2) }.store(in: bag)
        first.block()
        first.block()
        center.post(Ping())
        first.resume()
        center.post(Ping())
        #expect(log.all == [2, 1, 2])
    }

    @Test func anEndedObservationStaysEnded() {
        let token = center.observe(Ping.self) { [log] _ in log(1) }
        token.block()
        token.cancel()
        token.resume()
        #expect(center.post(Ping()) == 0)
        #expect(log.all.isEmpty)
    }

    /// Posts from a thread other than the main actor's.
    private func postElsewhere(_ number: Int) {
        let isDone = finishesOnAnotherThread { [center] in center.post(Ping(number: number)) }
        #expect(isDone)
    }
}
