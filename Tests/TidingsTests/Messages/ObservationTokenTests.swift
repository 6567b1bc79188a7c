// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct ObservationTokenTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    @Test func aBagLetsGoOfObservationsThatHaveEnded() {
        weak var first: ObservationToken?
        let bag = ObservationBag()
        for number in 0..<40 {
            let token = center.messages(of: Ping.self).once().observe { _ in }
            if number == 0 { first = token }
            token.store(in: bag)
            #expect(!token.hasEnded)
            center.post(Ping())
            #expect(token.hasEnded)
        }
        #expect(first == nil)
    }

    @Test func m5_aHandlerCancelledDuringAPostIsNotCalledByIt() {
        center.observe(Ping.self) { [bag, log] _ in
            log("first")
            bag.cancelAll()
        }.store(in: bag)
        for _ in 0..<5 { center.observe(Ping.self) { [log] _ in log("late") }.store(in: bag) }
        #expect(center.post(Ping()) == 6)
        #expect(log.all == ["first"])
    }

    @Test func m5_cancellingOnAnotherThreadStopsAPostInProgress() {
        let victims = ObservationBag()
        let owner = Owner()
        center.messages(of: Ping.self).priority(.high).observe { [log] _ in
            log(finishesOnAnotherThread { victims.cancelAll() } ? "cancelled" : "deadlock")
        }.store(in: bag)
        center.observe(Ping.self) { [log] _ in log("late") }.store(in: victims)
        center.observe(Ping.self, owner: owner) { [log] _, _ in log("late") }.store(in: victims)
        center.post(Ping())
        #expect(log.all == ["cancelled"])
    }

    @Test func m5_cancellingStopsAQueuedPost() {
        let victim = center.observe(Ping.self) { [log] _ in log("late") }
        center.observe(Pong.self) { [center, log] _ in
            log("\(center.post(Ping()))")
            victim.cancel()
        }.store(in: bag)
        center.post(Pong())
        #expect(log.all == ["1"])
    }

    @Test func m7_droppingTheLastReferenceCancels() {
        var token: ObservationToken? = center.observe(Ping.self) { [log] _ in log("a") }
        let second = token
        token = nil
        center.post(Ping())
        #expect(log.all == ["a"])
        second?.cancel()
        center.post(Ping())
        #expect(log.all == ["a"])
    }

    @Test func m7_aDroppedTokenEndsItsObservation() {
        do {
            let token = center.observe(Ping.self) { [log] _ in log("a") }
            #expect(center.post(Ping()) == 1)
            withExtendedLifetime(token) {}
        }
        #expect(center.post(Ping()) == 0)
        #expect(!center.hasObservers(of: Ping.self))
    }

    @Test func m7_aStaleTokenNeverRemovesSomebodyElse() {
        let stale = center.observe(Ping.self) { _ in }
        stale.cancel()
        for number in 0..<100 {
            center.observe(Ping.self) { [log] _ in log("\(number)") }.store(in: bag)
            stale.cancel()
        }
        let other = MessageCenter()
        let foreign = other.observe(Ping.self) { _ in }
        foreign.cancel()
        #expect(center.post(Ping()) == 100)
        #expect(log.all.count == 100)
    }

    @Test func m7_identifiersAreNeverReused() {
        let settings = RegistrationSettings(
            home: Channel(),
            source: SourceLocation(fileID: #fileID, line: #line)
        )
        let numbers = (0..<1_000).map { _ in ClosureRegistration<Ping>(settings) { _ in }.identifier
        }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func m7_aTokenOutlivesItsCenter() {
        var center: MessageCenter? = MessageCenter()
        let token = center?.observe(Ping.self) { _ in }
        center = nil
        token?.cancel()
    }

    @Test func aBagEndsItsObservationsWhenItIsDropped() {
        var bag: ObservationBag? = ObservationBag()
        if let bag { center.observe(Ping.self) { _ in }.store(in: bag) }
        #expect(center.count(of: Ping.self) == 1)
        bag = nil
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func aBagEndsOwnedObservationsTooWhenItIsDropped() {
        let owner = Owner()
        var bag: ObservationBag? = ObservationBag()
        if let bag { center.observe(Ping.self, owner: owner) { _, _ in }.store(in: bag) }
        #expect(center.count(of: Ping.self) == 1)
        bag = nil
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func cancellingReleasesWhatTheHandlerCapturedAlthoughTheTokenStays() {
        let token: ObservationToken
        weak var released: Canary?
        do {
            let canary = Canary()
            released = canary
            token = center.observe(Ping.self) { _ in canary.stay() }
        }
        #expect(released != nil)
        token.cancel()
        #expect(released == nil)
    }

    @Test(arguments: ["plain", "owner", "main", "task", "interceptor", "next to others"])
    func cancellingReleasesWhatTheFilterCapturedAlthoughTheTokenStays(form: String) {
        let owner = Owner()
        let token: ObservationToken
        weak var released: Canary?
        do {
            let canary = Canary()
            released = canary
            let filter: @Sendable (Ping) -> Bool = { _ in
                canary.stay()
                return true
            }
            switch form {
            case "owner":
                token = center.messages(of: Ping.self).where(filter).observe(owner: owner) { _, _ in
                }
            case "main":
                token = center.messages(of: Ping.self).where(filter).observe(on: .main) { _ in }
            case "task":
                token = center.messages(of: Ping.self).where(filter).observe { (_: Ping) async in }
            case "interceptor":
                token = center.messages(of: Ping.self).where(filter).intercept { _ in .deliver }
            case "next to others":
                center.observe(Ping.self) { _ in }.store(in: bag)
                token = center.messages(of: Ping.self).where(filter).observe { _ in }
            default: token = center.messages(of: Ping.self).where(filter).observe { _ in }
            }
        }
        #expect(released != nil)
        token.cancel()
        #expect(released == nil)
    }

    @Test func aFilterThatEndsItsObservationIsReleasedWhenItHasReturned() {
        weak var released: Canary?
        let wasAlive = Log<Bool>()
        do {
            let canary = Canary { wasAlive(false) }
            released = canary
            let filter: @Sendable (Ping) -> Bool = { [bag] _ in
                bag.cancelAll()
                canary.stay()
                wasAlive(true)
                return true
            }
            center.messages(of: Ping.self).where(filter).observe { _ in }.store(in: bag)
        }
        center.post(Ping())
        #expect(wasAlive.all == [true, false])
        #expect(released == nil)
    }
}
