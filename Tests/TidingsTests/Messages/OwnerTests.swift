// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import TidingsCoreFixtures
import TidingsLock

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct OwnerTests {
    private let center = MessageCenter()

    private final class TokenOwner: Sendable {
        let token = Mutex<ObservationToken?>(nil)
    }

    private final class Farewell: Sendable {
        let center: MessageCenter
        init(_ center: MessageCenter) { self.center = center }
        deinit { center.post(Ping()) }
    }

    @Test func m8_theOwnerIsHeldWeaklyAndHandedOver() {
        let owner = Owner()
        center.observe(Ping.self, owner: owner) { $0.log($1.number) }
        center.post(Ping(number: 3))
        #expect(owner.log.all == [3])
    }

    @Test func m8_theOwnerLivesUntilItsCallReturns() {
        let holder = Log<String>()
        let box = Mutex<Canary?>(Canary { holder("released") })
        if let owner = box.withLock({ $0 }) {
            center.observe(Ping.self, owner: owner) { owner, _ in
                box.withLock { $0.take() }?.stay()
                holder("called")
                owner.stay()
                holder("returns")
            }
        }
        #expect(center.post(Ping()) == 1)
        #expect(holder.all == ["called", "returns", "released"])
        #expect(center.post(Ping()) == 0)
    }

    @Test func m8_anOwnerIsNotCalledOnceItsDeinitHasBegun() {
        let log = Log<String>()
        let token = center.observe(Ping.self) { _ in log("releaseTimer") }
        do {
            let owner = Farewell(center)
            center.observe(Ping.self, owner: owner) { _, _ in log("dead owner called") }
        }
        #expect(log.all == ["releaseTimer"])
        token.cancel()
    }

    @Test(arguments: ["observe", "cancel", "post", "count"])
    func m8_theNextUseOfTheTypeReleasesADeadOwnersHandler(use: String) {
        let other = center.observe(Ping.self) { _ in }
        weak var released: Canary?
        do {
            let (owner, canary) = (Owner(), Canary())
            released = canary
            center.observe(Ping.self, owner: owner) { _, _ in canary.stay() }
            #expect(center.count(of: Ping.self) == 2)
        }
        #expect(released != nil)
        switch use {
        case "observe": center.observe(Ping.self) { _ in }.cancel()
        case "cancel": other.cancel()
        case "post": center.post(Ping())
        default: _ = center.count(of: Ping.self)
        }
        #expect(released == nil)
    }

    @Test func m8_theDeadNeverExceedTheLivingBy64() {
        for _ in 0..<2_000 {
            let owner = Owner()
            center.observe(Ping.self, owner: owner) { _, _ in }
            let present = center.registry.withLock {
                $0.channel(of: ObjectIdentifier(Ping.self), form: nil).count
            }
            #expect(present <= 1 + 64)
        }
    }

    @Test func m8_anOwnerThatStoresTheTokenReleasesTheHandlerWhenItDies() {
        weak var released: Canary?
        do {
            let (owner, canary) = (TokenOwner(), Canary())
            released = canary
            let token = center.observe(Ping.self, owner: owner) { _, _ in canary.stay() }
            owner.token.withLock { $0 = token }
        }
        #expect(released == nil)
    }

    @Test func droppingTheTokenOfALivingOwnerChangesNothing() {
        let owner = Owner()
        center.observe(Ping.self, owner: owner) { $0.log($1.number) }
        #expect(center.post(Ping()) == 1)
        let token = center.observe(Pong.self, owner: owner) { $0.log($1.number) }
        token.cancel()
        #expect(center.post(Pong()) == 0)
    }
}
