// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTracing

@testable import Tidings

private struct Tick: Message {}

extension MessageType<Tick> {
    fileprivate static var tick: MessageType { MessageType() }
}

@Suite(.timeLimit(.minutes(15)))
struct ObservationFamilyTests {
    private let center = MessageCenter()

    @Test func oneCallObservesSeveralTypesWithTheOwner() {
        let owner = Owner()
        center.observe(owner: owner) { family in
            family.on(Ping.self) { owner, message in owner.log(message.number) }
            family.on(Pong.self) { owner, message in
                owner.log(10 * message.number)
            }
        }
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(center.post(Pong(number: 2)) == 1)
        #expect(owner.log.all == [1, 20])
    }

    @Test func aHandlerThatIsNilMakesNoObservation() {
        func observe(
            _ owner: Owner,
            onPing: (@Sendable (Owner, Ping) -> Void)? = nil,
            onPong: (@Sendable (Owner, Pong) -> Void)? = nil,
            onTick: (@MainActor @Sendable (Owner, Tick) -> Void)? = nil
        ) {
            center.observe(owner: owner) { family in
                family.on(Ping.self, onPing)
                family.on(Pong.self, onPong)
                family.on(Tick.self, on: .main, onTick)
            }
        }
        let owner = Owner()
        observe(owner, onPong: { owner, message in owner.log(message.number) })
        #expect(!center.hasObservers(of: Ping.self))
        #expect(!center.hasObservers(of: Tick.self))
        center.post(Pong(number: 3))
        #expect(owner.log.all == [3])
    }

    @MainActor @Test func membersCanRunOnTheMainActor() {
        let owner = Owner()
        center.observe(owner: owner) { family in
            family.on(Ping.self, on: .main) { owner, message in
                MainActor.assertIsolated()
                owner.log(message.number)
            }
        }
        center.post(Ping(number: 1))
        #expect(owner.log.all == [1])
    }

    @Test func theTokenEndsAllAndItsDropEndsNone() {
        let owner = Owner()
        do {
            let token = center.observe(owner: owner) { family in
                family.on(Ping.self) { owner, _ in owner.log(1) }
                family.on(Pong.self) { owner, _ in owner.log(2) }
            }
            withExtendedLifetime(token) {}
        }
        #expect(center.post(Ping()) == 1)
        let token = center.observe(owner: owner) { family in
            family.on(Ping.self) { owner, _ in owner.log(3) }
            family.on(Tick.self) { owner, _ in owner.log(4) }
        }
        #expect(center.post(Ping(number: 1), about: owner) == 2)
        token.cancel()
        #expect(center.post(Tick()) == 0)
        #expect(center.post(Ping(number: 1), about: owner) == 1)
        #expect(owner.log.all == [1, 1, 3, 1])
    }

    @Test func m8_theFamilyEndsWithItsOwnerWhomItHoldsWeakly() {
        weak var released: Owner?
        do {
            let owner = Owner()
            released = owner
            center.observe(owner: owner) { family in
                family.on(Ping.self) { owner, _ in owner.log(1) }
                family.on(Pong.self) { owner, _ in owner.log(2) }
            }
            #expect(center.post(Ping()) == 1)
        }
        #expect(released == nil)
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Pong()) == 0)
    }

    @Test func eachMemberIsKnownByItsOwnLine() {
        let owner = Owner()
        let places = Log<String>()
        let watch = center.watch(delivered: { record in
            for handler in record.handlers { places(handler.observation.location) }
        })
        let line: UInt = #line + 2
        center.observe(owner: owner) { family in
            family.on(Ping.self) { _, _ in }
            family.on(Pong.self) { _, _ in }
        }
        center.post(Ping())
        center.post(Pong())
        #expect(places.all == ["\(#fileID):\(line)", "\(#fileID):\(line + 1)"])
        watch.cancel()
    }
}
