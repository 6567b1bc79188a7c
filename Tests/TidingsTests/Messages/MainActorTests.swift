// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct MainActorTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    private func observeOnMain(_ name: String) {
        center.observe(Ping.self, on: .main) { [log] message in
            MainActor.assertIsolated()
            log("\(name)\(message.number)")
        }.store(in: bag)
    }

    /// Posts from a thread other than the main actor's.
    private func postElsewhere(_ numbers: ClosedRange<Int>) {
        let isDone = finishesOnAnotherThread { [center] in
            for number in numbers { center.post(Ping(number: number)) }
        }
        #expect(isDone)
    }

    @MainActor @Test func m11_runsInlineWhenThePostIsOnTheMainActor() {
        observeOnMain("a")
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(log.all == ["a1"])
    }

    @MainActor @Test func m11_waitingMessagesComeBeforeAnInlineOne() {
        observeOnMain("a")
        postElsewhere(1...3)
        #expect(log.all.isEmpty)
        center.post(Ping(number: 4))
        #expect(log.all == ["a1", "a2", "a3", "a4"])
    }

    @Test func m11_otherPostsAreDrainedInOrder() async throws {
        let gate = Gate()
        observeOnMain("a")
        observeOnMain("b")
        center.messages(of: Ping.self).priority(.low).observe(on: .main) { message in
            if message.number == 50 { gate.open() }
        }.store(in: bag)
        postElsewhere(1...50)
        try await gate.wait()
        #expect(log.all == (1...50).flatMap { ["a\($0)", "b\($0)"] })
    }

    @MainActor @Test func m11_cancellationIsCheckedJustBeforeTheCall() {
        let owner = Owner()
        let token = center.observe(Ping.self, on: .main) { [log] _ in log("late") }
        let owned = center.observe(Ping.self, owner: owner, on: .main) { [log] _, _ in log("late") }
        postElsewhere(1...3)
        token.cancel()
        owned.cancel()
        center.mainQueue.drain(for: center)
        #expect(log.all.isEmpty)
    }

    @MainActor @Test func m11_aPostInADrainedHandlerComesAfterThatHandler() {
        center.observe(Ping.self, on: .main) { [center, log] message in
            log("a\(message.number)")
            if message.number < 10 { center.post(Ping(number: message.number + 10)) }
            log("a\(message.number) done")
        }.store(in: bag)
        observeOnMain("b")
        postElsewhere(1...2)
        center.mainQueue.drain(for: center)
        let b = log.all.filter { $0.hasPrefix("b") }
        #expect(b == ["b1", "b2", "b11", "b12"])
        #expect(log.all.prefix(2) == ["a1", "a1 done"])
        #expect(Set(log.all).count == 12)
    }

    @MainActor @Test func m11_ownersOfQueuedCallsAreHeldWeakly() {
        do {
            let owner = Owner()
            center.observe(Ping.self, owner: owner, on: .main) { [log] _, _ in log("dead") }
            postElsewhere(1...1)
        }
        center.mainQueue.drain(for: center)
        #expect(log.all.isEmpty)
        #expect(center.count(of: Ping.self) == 0)
    }

    @MainActor @Test func m11_plainAndMainHandlersKeepTheirOrderInline() {
        observeOnMain("a")
        center.observe(Ping.self) { [log] in log("b\($0.number)") }.store(in: bag)
        observeOnMain("c")
        center.post(Ping(number: 1))
        #expect(log.all == ["a1", "b1", "c1"])
    }

    @Test func m11_postingFromManyTasksNeverTraps() async {
        let owner = Owner()
        center.observe(Ping.self, owner: owner, on: .main) { $0.log($1.number) }
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask { [center] in
                    for number in 0..<200 { center.post(Ping(number: task * 1_000 + number)) }
                }
            }
        }
        await MainActor.run { center.mainQueue.drain(for: center) }
        #expect(owner.log.all.count == 1_600)
        for task in 0..<8 {
            let own = owner.log.all.filter { $0 / 1_000 == task }
            #expect(own == own.sorted())
        }
    }
}
