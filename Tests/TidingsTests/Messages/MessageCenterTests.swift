// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct MessageCenterTests {
    private let center = MessageCenter()

    @Test func deliversTheMessageToObserversOfItsType() {
        let log = Log<Int>()
        let token = center.observe(Ping.self) { log($0.number) }
        #expect(center.post(Ping(number: 7)) == 1)
        #expect(center.post(Pong(number: 8)) == 0)
        #expect(log.all == [7])
        token.cancel()
        #expect(center.post(Ping(number: 9)) == 0)
        #expect(log.all == [7])
    }

    @Test func findsTheRightObserversAmongManyTypes() {
        struct Tagged<Tag>: Message { let text: String }
        let log = Log<String>()
        let bag = ObservationBag()
        func observe<Tag>(_ tag: Tag.Type, depth: Int) {
            center.observe(Tagged<Tag>.self) { log("\(depth) \($0.text)") }.store(in: bag)
            if depth > 0 { observe([Tag].self, depth: depth - 1) }
        }
        observe(Int.self, depth: 200)
        #expect(center.post(Tagged<Int>(text: "a")) == 1)
        #expect(center.post(Tagged<[[Int]]>(text: "b")) == 1)
        #expect(center.post(Tagged<String>(text: "c")) == 0)
        #expect(log.all == ["200 a", "198 b"])
    }
}
