// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct SubjectTests {
    private class Album: @unchecked Sendable {}
    private final class Single: Album, @unchecked Sendable {}

    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    private func observe(_ name: String, about subject: SubjectCondition? = nil) {
        let pings = center.messages(of: Ping.self)
        let selection = subject.map { pings.taking($0) } ?? pings
        selection.observe { [log] in log("\(name)\($0.number)") }.store(in: bag)
    }

    @Test func m10_aSubjectFilterMatchesOneLiveObject() {
        let (wanted, other) = (Album(), Album())
        observe("one", about: .object(WeakSubject(wanted)))
        #expect(center.post(Ping(number: 1), about: wanted) == 1)
        #expect(center.post(Ping(number: 2), about: other) == 0)
        #expect(center.post(Ping(number: 3)) == 0)
        #expect(log.all == ["one1"])
    }

    @Test func m10_aDeadSubjectsAddressNeverMatchesAgain() {
        var addresses: Set<ObjectIdentifier> = []
        var reused = 0
        for _ in 0..<200 {
            let subject = Album()
            if !addresses.insert(ObjectIdentifier(subject)).inserted { reused += 1 }
            center.post(Ping(number: 0), about: subject)
            observe("dead", about: .object(WeakSubject(subject)))
        }
        #expect(reused > 0, "no address was used again, so the test says nothing")
        #expect(log.all.isEmpty)
    }

    @Test func m10_theDeadAreSweptLikeDeadOwners() {
        weak var released: Canary?
        do {
            let (subject, canary) = (Album(), Canary())
            released = canary
            center.messages(of: Ping.self).about(subject).observe { _ in canary.stay() }.store(
                in: bag
            )
            #expect(center.post(Ping(), about: subject) == 1)
        }
        #expect(released != nil)
        center.post(Ping())
        #expect(released == nil)
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func anyObjectOfATypeMatchesSubclassesToo() {
        observe("any", about: .matching { $0 is Album })
        observe("single", about: .matching { $0 is Single })
        #expect(center.post(Ping(number: 1), about: Album()) == 1)
        #expect(center.post(Ping(number: 2), about: Single()) == 2)
        #expect(center.post(Ping(number: 3), about: Owner()) == 0)
        #expect(log.all == ["any1", "any2", "single2"])
    }

    @Test func m1_subjectObserversTakeTheirPlaceAmongTheOthers() {
        let album = Album()
        observe("a")
        observe("b", about: .object(WeakSubject(album)))
        observe("c", about: .matching { $0 is Album })
        observe("d")
        center.post(Ping(number: 1), about: album)
        #expect(log.all == ["a1", "b1", "c1", "d1"])
    }

    @Test func m3_aQueuedPostKeepsItsSubject() {
        center.observe(Pong.self) { [center] _ in
            center.post(Ping(number: 1), about: Single())
        }.store(in: bag)
        observe("any", about: .matching { $0 is Single })
        center.post(Pong())
        #expect(log.all == ["any1"])
    }
}
