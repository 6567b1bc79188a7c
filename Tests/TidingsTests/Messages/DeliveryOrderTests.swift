// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

@Suite(.timeLimit(.minutes(15)))
struct DeliveryOrderTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    private func observe(_ name: String, _ priority: ObservationPriority = .normal) {
        center.messages(of: Ping.self).priority(priority).observe { [log] in
            log("\(name)\($0.number)")
        }
        .store(in: bag)
    }

    @Test func m1_higherPrioritiesFirstThenInOrderOfRegistration() {
        observe("c")
        observe("e", .low)
        observe("a", .high)
        observe("d")
        observe("b", ObservationPriority(500))
        center.post(Ping())
        #expect(log.all == ["a0", "b0", "c0", "d0", "e0"])
    }

    @Test func m1_orderHoldsAfterAnyRemovals() {
        var tokens: [ObservationToken] = []
        for number in 0..<40 {
            let priority = ObservationPriority(number % 3)
            tokens.append(
                center.messages(of: Ping.self).priority(priority).observe { [log] _ in
                    log("\(number)")
                }
            )
        }
        for number in stride(from: 0, to: 40, by: 4) { tokens[number].cancel() }
        center.post(Ping())
        let expected = [2, 1, 0].flatMap { priority in
            (0..<40).filter { $0 % 3 == priority && $0 % 4 != 0 }.map(String.init)
        }
        #expect(log.all == expected)
    }

    @Test func m2_postReturnsAfterEveryHandlerAndHasFilledSequences() async {
        let messages = center.messages(of: Ping.self).values
        observe("a")
        observe("b")
        let addressed = center.post(Ping(number: 1))
        #expect(addressed == 3)
        #expect(log.all == ["a1", "b1"])
        messages.cancel()
        var read: [Int] = []
        for await message in messages { read.append(message.number) }
        #expect(read == [1])
    }

    @Test func m3_aPostInsideAHandlerComesAfterTheLastHandler() {
        center.observe(Ping.self) { [center, log] message in
            log("a\(message.number)")
            if message.number < 2 { center.post(Ping(number: message.number + 1)) }
            log("a\(message.number) done")
        }.store(in: bag)
        observe("b")
        center.post(Ping())
        #expect(
            log.all == [
                "a0", "a0 done", "b0", "a1", "a1 done", "b1", "a2", "a2 done", "b2",
            ]
        )
    }

    @Test func m3_postsOfOneThreadReachEveryHandlerInOneOrder() {
        for name in ["a", "b", "c"] {
            center.observe(Ping.self) { [center, log] message in
                log("\(name)\(message.number)")
                guard message.number < 10 else { return }
                center.post(Ping(number: message.number * 10 + 1))
                center.post(Pong(number: message.number))
                center.post(Ping(number: message.number * 10 + 2))
            }.store(in: bag)
        }
        center.post(Ping(number: 1))
        let orders = ["a", "b", "c"].map { name in
            log.all.filter { $0.hasPrefix(name) }.map { $0.dropFirst() }
        }
        #expect(orders[0].count == 7)
        #expect(orders[0] == orders[1])
        #expect(orders[1] == orders[2])
    }

    @Test func m3_aRoundTripThroughAnotherCenterIsQueuedToo() {
        let other = MessageCenter()
        center.observe(Ping.self) { [log] message in
            if message.number == 0 { other.post(Pong()) }
            log("a\(message.number)")
        }.store(in: bag)
        other.observe(Pong.self) { [center, log] _ in
            log("other")
            center.post(Ping(number: 1))
        }.store(in: bag)
        observe("b")
        center.post(Ping())
        #expect(log.all == ["other", "a0", "b0", "a1", "b1"])
    }

    @Test func m4_anObserverAddedByAHandlerGetsTheNextPostOnly() {
        center.observe(Ping.self) { [center, log, bag] _ in
            center.observe(Ping.self) { log("new\($0.number)") }.store(in: bag)
        }.store(in: bag)
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(log.all.isEmpty)
        #expect(center.post(Ping(number: 2)) == 2)
        #expect(log.all == ["new2"])
    }

    @Test func m4_aQueuedPostAddressesThoseWhoObservedWhenItWasMade() {
        let counts = Log<Int>()
        center.observe(Pong.self) { [center, log, bag] _ in
            counts(center.post(Ping(number: 1)))
            center.observe(Ping.self) { log("late\($0.number)") }.store(in: bag)
            counts(center.post(Ping(number: 2)))
        }.store(in: bag)
        observe("early")
        center.post(Pong())
        #expect(counts.all == [1, 2])
        #expect(log.all == ["early1", "early2", "late2"])
    }

    @Test func m4_postCountsLivingOwnersOnly() {
        let owner = Owner()
        var dying: Owner? = Owner()
        center.observe(Ping.self, owner: owner) { $0.log($1.number) }
        if let dying { center.observe(Ping.self, owner: dying) { $0.log($1.number) } }
        observe("a")
        #expect(center.post(Ping()) == 3)
        dying = nil
        #expect(center.post(Ping()) == 2)
        #expect(center.count(of: Ping.self) == 2)
        #expect(owner.log.all == [0, 0])
    }

    @Test func m1_prioritiesBeyondTheLimitsAreEqual() {
        #expect(ObservationPriority(.max) == ObservationPriority(100_000))
        #expect(ObservationPriority(.min) == ObservationPriority(-100_000))
        #expect(ObservationPriority(.max) == ObservationPriority(32_767))
    }
}
