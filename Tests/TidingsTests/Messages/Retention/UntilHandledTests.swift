// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@Suite(.timeLimit(.minutes(15)))
struct UntilHandledTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    private func post(_ numbers: ClosedRange<Int>) {
        for number in numbers {
            center.post(Ping(number: number), options: [.retainedUntilHandled])
        }
    }

    private func observe(once: Bool = false, where filter: (@Sendable (Ping) -> Bool)? = nil) {
        let pings = center.messages(of: Ping.self).once(if: once)
        let selection = filter.map { pings.where($0) } ?? pings
        selection.observe { [log] in log($0.number) }.store(in: bag)
    }

    private var waiting: [Int] { center.retained(Ping.self).map(\.number) }

    @Test func m18_theFirstObserverIsHandedWhatWaitsInOrder() {
        post(1...3)
        #expect(waiting == [1, 2, 3])
        observe()
        #expect(log.all == [1, 2, 3])
        #expect(waiting == [])
        observe()
        #expect(log.all == [1, 2, 3])
    }

    @Test func m18_nothingWaitsThatHasARecipient() {
        observe()
        #expect(center.post(Ping(number: 1), options: [.retainedUntilHandled]) == 1)
        #expect(log.all == [1])
        #expect(waiting == [])
    }

    @Test func m18_theFirstObserverGetsLiveMessagesBehindThem() {
        post(1...2)
        center.observe(Ping.self) { [center, log] message in
            log(message.number)
            guard message.number == 1 else { return }
            let isFree = finishesOnAnotherThread {
                center.post(Ping(number: 3), options: [.retainedUntilHandled])
                center.post(Ping(number: 4))
            }
            log(isFree ? 0 : -1)
        }.store(in: bag)
        #expect(log.all == [1, 0, 2, 3, 4])
        #expect(waiting == [])
    }

    @Test func m18_anObserverOfOneMessageTakesOne() {
        post(1...3)
        observe(once: true)
        #expect(log.all == [1])
        #expect(waiting == [2, 3])
        observe(once: true)
        #expect(log.all == [1, 2])
    }

    @Test func m18_whatAFilterTurnsDownGoesOnWaiting() {
        post(1...4)
        observe(where: { $0.number.isMultiple(of: 2) })
        #expect(log.all == [2, 4])
        #expect(waiting == [1, 3])
        center.post(Ping(number: 5), options: [.retainedUntilHandled])
        #expect(waiting == [1, 3, 5])
        observe()
        #expect(log.all == [2, 4, 1, 3, 5])
    }

    @Test func m18_whatAnObserverThatEndsDidNotGetToGoesOnWaiting() {
        post(1...4)
        observe(once: true, where: { $0.number > 1 })
        #expect(log.all == [2])
        #expect(waiting == [1, 3, 4])
    }

    @Test func m18_aRecipientThatEndsBeforeItsCallIsNone() {
        let victim = center.messages(of: Ping.self).priority(.low).observe { [log] in
            log(-$0.number)
        }
        center.observe(Pong.self) { [center] _ in
            // The message is queued for the victim, whose observation ends before the turn.
            #expect(center.post(Ping(number: 1), options: [.retainedUntilHandled]) == 1)
            victim.cancel()
        }.store(in: bag)
        center.post(Pong())
        #expect(waiting == [1])
        observe()
        #expect(log.all == [1])
    }

    @MainActor @Test func m18_alsoIfItsCallHadToWaitForTheMainActor() async {
        let victim = center.observe(Ping.self, on: .main) { [log] in log(-$0.number) }
        let isFree = finishesOnAnotherThread { [center] in
            #expect(center.post(Ping(number: 1), options: [.retainedUntilHandled]) == 1)
        }
        #expect(isFree)
        victim.cancel()
        await withCheckedContinuation { continuation in
            center.messages(of: Pong.self).once().observe(on: .main) { _ in continuation.resume() }
                .store(in: bag)
            _ = finishesOnAnotherThread { [center] in center.post(Pong()) }
        }
        #expect(waiting == [1])
    }

    @MainActor @Test func m18_alsoIfItWasHandedOverToOneThatEndsBeforeItsCall() {
        post(1...2)
        let isFree = finishesOnAnotherThread { [center, log, bag] in
            center.observe(Ping.self, on: .main) { log(-$0.number) }.store(in: bag)
        }
        #expect(isFree)
        #expect(waiting == [])
        bag.cancelAll()
        #expect(waiting == [1, 2])
        observe()
        #expect(log.all == [1, 2])
    }

    @Test func m18_alsoIfItWaitedInAMailbox() async throws {
        post(1...2)
        let (begun, gate) = (Gate(), Gate())
        let token = center.messages(of: Ping.self).observe { [log] (message: Ping) async in
            begun.open()
            try? await gate.wait()
            log(message.number)
        }
        try await begun.wait()
        post(3...3)
        #expect(waiting == [])
        token.cancel()
        #expect(waiting == [2, 3])
        gate.open()
        await token.cancelAndWait()
        #expect(waiting == [2, 3])
        observe()
        #expect(log.all == [1, 2, 3])
    }

    @Test func m18_alsoIfAMailboxHadNoRoomForIt() async throws {
        let (begun, gate) = (Gate(), Gate())
        let token = center.messages(of: Ping.self).buffering(.oldest(1)).observe {
            (_: Ping) async in
            begun.open()
            try? await gate.wait()
        }
        post(1...1)
        try await begun.wait()
        post(2...3)
        #expect(waiting == [3])
        #expect(token.dropped == 1)
        gate.open()
        await token.cancelAndWait()
        #expect(waiting == [2, 3])
    }

    @Test func m18_whoRegistersMeanwhileIsOfferedWhatNobodyTook() {
        let victim = center.observe(Ping.self) { _ in }
        center.observe(Pong.self) { [center, log, bag] _ in
            center.post(Ping(number: 1), options: [.retainedUntilHandled])
            victim.cancel()
            for _ in 0..<2 { center.observe(Ping.self) { log($0.number) }.store(in: bag) }
        }.store(in: bag)
        center.post(Pong())
        #expect(log.all == [1])
        #expect(waiting == [])
    }

    @Test func subjectsSayWhoIsARecipient() {
        let (first, second) = (Owner(), Owner())
        center.post(Ping(number: 1), about: first, options: [.retainedUntilHandled])
        center.post(Ping(number: 2), about: second, options: [.retainedUntilHandled])
        center.messages(of: Ping.self).about(second).observe { [log] in log($0.number) }
            .store(in: bag)
        #expect(log.all == [2])
        center.post(Ping(number: 3), about: first, options: [.retainedUntilHandled])
        #expect(waiting == [1, 3])
        observe()
        #expect(log.all == [2, 1, 3])
    }

    @Test func whatItIsAboutIsKeptUntilThen() {
        weak var weakOwner: Owner?
        do {
            let owner = Owner()
            weakOwner = owner
            center.post(Ping(number: 1), about: owner, options: [.retainedUntilHandled])
        }
        #expect(weakOwner != nil)
        center.messages(of: Ping.self).about(any: Owner.self).observe { [log] in log($0.number) }
            .store(in: bag)
        #expect(log.all == [1])
        #expect(weakOwner == nil)
    }

    @Test func replayAndWhatWaitsComeInTheOrderOfPosting() {
        center.post(Ping(number: 1), options: [.retainedUntilHandled])
        center.post(Ping(number: 2), options: [.retained])
        center.post(Ping(number: 3), options: [.retainedUntilHandled])
        center.messages(of: Ping.self).replaying(.all).observe { [log] in log($0.number) }.store(
            in: bag
        )
        #expect(log.all == [1, 2, 3])
        #expect(waiting == [2])
    }

    @Test func whoObservesAllMessagesDoesNotCount() {
        center.allMessages.observe { [log] _ in log(0) }.store(in: bag)
        #expect(center.post(Ping(number: 1), options: [.retainedUntilHandled]) == 1)
        #expect(waiting == [1])
        let victim = center.observe(Ping.self) { _ in }
        center.messages(of: Pong.self).priority(.high).observe { [center] _ in
            center.post(Ping(number: 2), options: [.retainedUntilHandled])
            victim.cancel()
        }.store(in: bag)
        center.post(Pong())
        // The observer received each post, but does not count as the taker of a message.
        #expect(log.all == [0, 0, 0])
        #expect(waiting == [2])
        observe()
        #expect(log.all == [0, 0, 0, 2])
    }

    @Test func clearingForgetsWhatWaits() {
        post(1...3)
        center.clearRetained(Ping.self)
        observe()
        #expect(log.all == [])
    }

    @Test func m17_theHookIsToldOnceThatNobodyHeardIt() {
        center.addUnhandledHook { [log] _ in log(0) }.store(in: bag)
        post(1...1)
        observe(where: { _ in false })
        #expect(log.all == [0])
    }

    @Test func watchersSeeItOnce() {
        let token = center.watch(delivered: { [log] in log($0.recipients) })
        post(1...1)
        observe(where: { _ in false })
        observe()
        token.cancel()
        #expect(log.all == [0, 1])
    }

    @Test func m16_aHandlerThatThrowsHasTakenIt() {
        struct Broken: Error {}
        post(1...1)
        center.observe(Ping.self) { _ in throw Broken() }.store(in: bag)
        #expect(waiting == [])
    }
}
