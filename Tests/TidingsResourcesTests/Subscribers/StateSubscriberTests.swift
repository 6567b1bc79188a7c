// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsResources

@Suite(.timeLimit(.minutes(15)))
struct StateSubscriberTests {
    private final class Shop: StateSubscriber {
        let log = Log<String>()
        let first: StatePublisher<Int>

        init(first: StatePublisher<Int>) { self.first = first }

        func publication(from publisher: any AnyStatePublisher) {
            log(publisher === first ? "first \(publisher.phase)" : "second \(publisher.phase)")
        }
    }

    @Test func s8_oneSubscriberTellsTwoPublishersApart() {
        let (first, second) = (StatePublisher<Int>(), StatePublisher<Int>())
        let shop = Shop(first: first)
        first.subscribe(shop)
        second.subscribe(shop)
        second.startLoading()
        first.updateData(1)
        #expect(
            shop.log.all == ["first unknown", "second unknown", "second loading", "first loaded"]
        )
    }

    @Test func subscribingTwiceIsOneSubscription() {
        let publisher = StatePublisher<Int>()
        let shop = Shop(first: publisher)
        publisher.subscribe(shop)
        publisher.subscribe(shop)
        publisher.startLoading()
        #expect(shop.log.all == ["first unknown", "first loading"])
        publisher.unsubscribe(shop)
        publisher.reset()
        #expect(shop.log.all.count == 2)
    }

    @Test func s8_aDeadSubscriberIsSweptAndNeverCalled() {
        let publisher = StatePublisher<Int>()
        for _ in 0..<100 {
            let shop = Shop(first: publisher)
            publisher.subscribe(shop)
            #expect(shop.log.all == ["first unknown"])
        }
        publisher.startLoading()
        #expect(!publisher.isObserved)
    }
}
