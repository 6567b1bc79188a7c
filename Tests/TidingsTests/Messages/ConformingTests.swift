// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@testable import Tidings

private protocol Audited: Message {
    var note: String { get }
}

private struct Paid: Audited {
    var note = "paid"
}

private struct Shipped: Audited {
    let note: String
}

private class Shape: Message, @unchecked Sendable {}
private final class Circle: Shape, @unchecked Sendable {}

/// Observers of a protocol or a superclass.
@Suite(.timeLimit(.minutes(15)))
struct ConformingTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    private var audited: Selection<any Audited> {
        center.messages(conformingTo: (any Audited).self) { $0 as? any Audited }
    }

    @Test func m4_onlyMessagesThatConformAreAddressed() throws {
        audited.observe { [log] in log($0.note) }.store(in: bag)
        center.addUnhandledHook { [log] in log("unhandled \($0.name)") }.store(in: bag)
        #expect(center.post(Paid()) == 1)
        #expect(center.post(Shipped(note: "shipped")) == 1)
        #expect(center.post(Ping()) == 0)
        #expect(throws: TidingsError.self) { try center.post(Ping(), requiring: .recipient) }
        #expect(try center.post(Paid(), requiring: .recipient) == 1)
        #expect(log.all == ["paid", "shipped", "unhandled Ping", "unhandled Ping", "paid"])
    }

    @Test func subclassesReachObserversOfTheSuperclass() {
        center.messages(conformingTo: Shape.self) { $0 as? Shape }.observe { [log] in
            log("\(type(of: $0))")
        }.store(in: bag)
        #expect(center.post(Circle()) == 1)
        #expect(center.post(Circle() as Shape) == 1)
        #expect(center.post(Shape()) == 1)
        #expect(center.post(Ping()) == 0)
        #expect(log.all == ["Circle", "Circle", "Shape"])
    }

    @Test func m1_theyHaveTheirPlaceAmongTheOthers() {
        center.observe(Paid.self) { [log] _ in log("b") }.store(in: bag)
        audited.observe { [log] _ in log("c") }.store(in: bag)
        center.allMessages.observe { [log] _ in log("d") }.store(in: bag)
        audited.priority(.high).observe { [log] _ in log("a") }.store(in: bag)
        #expect(center.post(Paid()) == 4)
        #expect(log.all == ["a", "b", "c", "d"])
    }

    @Test func theOptionsWork() {
        let album = Owner()
        audited.about(album).where { $0.note != "no" }.once().observe { [log] in
            log($0.note)
        }.store(in: bag)
        #expect(center.post(Shipped(note: "elsewhere")) == 0)
        #expect(center.post(Shipped(note: "no"), about: album) == 1)
        #expect(center.post(Shipped(note: "yes"), about: album) == 1)
        #expect(center.post(Shipped(note: "late"), about: album) == 0)
        #expect(log.all == ["yes"])
    }

    @MainActor @Test func theAttachmentsWork() async throws {
        let owner = Owner()
        audited.observe(owner: owner, on: .main) { owner, _ in owner.log(1) }
        audited.observe(owner: owner) { owner, _ in owner.log(2) }
        audited.concurrency(2).observe(owner: owner) { owner, _ async in owner.log(3) }
        var values = audited.values.makeAsyncIterator()
        let next = audited.next()
        let report = await center.postAndWait(Paid())
        #expect(report.recipients == 5)
        #expect(owner.log.all.sorted() == [1, 2, 3])
        #expect(await values.next()?.note == "paid")
        #expect(try await next.value.note == "paid")
    }

    @Test func aPaceWorks() async throws {
        let clock = ManualClock()
        audited.throttled(for: .seconds(1), clock: clock).observe { [log] in log($0.note) }
            .store(in: bag)
        for note in ["a", "b", "c"] { center.post(Shipped(note: note)) }
        #expect(log.all == ["a"])
        try await center.finishAndWait()
        #expect(log.all == ["a", "c"])
    }

    @Test func theyInterceptMessagesThatConform() {
        let token = audited.intercept { [log] message in
            log("seen \(message.note)")
            return message.note == "no" ? .drop : .deliver
        }
        center.observe(Shipped.self) { [log] in log($0.note) }.store(in: bag)
        center.observe(Ping.self) { [log] _ in log("ping") }.store(in: bag)
        center.post(Shipped(note: "no"))
        center.post(Shipped(note: "yes"))
        center.post(Ping())
        #expect(log.all == ["seen no", "seen yes", "yes", "ping"])
        token.cancel()
    }

    @Test func oneSelectionConvertsAMessageOnceForAllItsObservers() {
        let selection = center.messages(conformingTo: (any Audited).self) { [log] message in
            log("asked")
            return message as? any Audited
        }
        for _ in 1...3 { selection.observe { _ in }.store(in: bag) }
        #expect(center.post(Paid()) == 3)
        #expect(log.all == ["asked"])
    }

    @Test func m9_theConversionIsCalledWithoutALock() {
        let selection = center.messages(conformingTo: (any Audited).self) { [center, log] message in
            let isFree = finishesOnAnotherThread {
                center.messages(conformingTo: Shape.self) { $0 as? Shape }.observe { _ in }.cancel()
            }
            log(isFree ? "free" : "locked")
            return message as? any Audited
        }
        selection.observe { _ in }.store(in: bag)
        center.post(Paid())
        #expect(log.all == ["free"])
    }

    @Test func m15_theyEndWithTheirCenter() async throws {
        let values = audited.values
        center.post(Paid())
        center.finish()
        #expect(center.post(Paid()) == 0)
        var notes: [String] = []
        for await message in values { notes.append(message.note) }
        #expect(notes == ["paid"])
        #expect(audited.observe { _ in }.hasEnded)
    }

    @Test func m7_whenTheyHaveEndedPostsAreDirectAgain() {
        let token = audited.observe { _ in }
        #expect(!center.channel(of: Ping.self, on: .current).use { $0.isDirect })
        #expect(center.observations().map(\.observation.message) == ["Audited"])
        token.cancel()
        #expect(center.channel(of: Ping.self, on: .current).use { $0.isDirect })
        #expect(center.post(Paid()) == 0)
    }

    @Test func aConversionIsReleasedByTheNextObservationOfAConformance() {
        do {
            let canary = Canary { [log] in log("released") }
            let selection = center.messages(conformingTo: (any Audited).self) { message in
                canary.stay()
                return message as? any Audited
            }
            selection.observe { _ in }.cancel()
        }
        audited.observe { _ in }.store(in: bag)
        #expect(log.all == ["released"])
    }

    @Test func m8_anOwnersObservationsAreRemovedByIdentity() throws {
        let owner = Owner()
        audited.observe(owner: owner) { _, _ in }
        #expect(try center.removeObservations(of: owner) == 1)
        #expect(center.post(Paid()) == 0)
    }

    @Test func aStateHasNoSubject() async {
        await #expect(processExitsWith: .failure) {
            _ = StatePublisher<Int>().states.about(Owner())
        }
    }
}
