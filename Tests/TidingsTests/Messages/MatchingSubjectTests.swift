// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

@Suite(.timeLimit(.minutes(15)))
struct MatchingSubjectTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    @Test func aClosureDecidesOnTheSubjectAndOnNone() {
        let (wanted, other) = (Owner(), Owner())
        let token = center.messages(of: Ping.self).about(matching: { $0 == nil || $0 === wanted })
            .observe { [log] in log("\($0.number)") }
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(center.post(Ping(number: 2), about: wanted) == 1)
        #expect(center.post(Ping(number: 3), about: other) == 0)
        #expect(log.all == ["1", "2"])
        token.cancel()
    }

    @Test func countsAreOfAMessageAboutThatSubject() {
        let (wanted, other) = (Owner(), Owner())
        let bag = ObservationBag()
        center.messages(of: Ping.self).about(wanted).observe { _ in }.store(in: bag)
        #expect(!center.hasObservers(of: Ping.self))
        #expect(!center.hasObservers(of: Ping.self, about: other))
        #expect(center.count(of: Ping.self, about: wanted) == 1)
        center.observe(Ping.self) { _ in }.store(in: bag)
        center.messages(of: Ping.self).about(any: Owner.self).observe { _ in }.store(in: bag)
        #expect(center.count(of: Ping.self) == center.post(Ping()))
        #expect(center.count(of: Ping.self, about: other) == center.post(Ping(), about: other))
        #expect(center.count(of: Ping.self, about: wanted) == 3)
    }

    @Test func aMessageAboutNothingIsAboutNoObjectOfAnyType() {
        let token = center.messages(of: Ping.self).about(any: AnyObject.self).observe { _ in }
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Ping(), about: Owner()) == 1)
        token.cancel()
    }
}
