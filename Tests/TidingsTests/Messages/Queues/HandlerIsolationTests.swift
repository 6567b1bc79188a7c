// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

/// An actor that handlers write to.
private actor Shelf {
    private(set) var numbers: [Int] = []

    func insert(_ number: Int) {
        numbers.append(number)
    }

    /// Keeps the actor busy until `body` has returned.
    func occupy(_ body: @Sendable (isolated Shelf) -> Void) {
        body(self)
    }
}

@Suite(.timeLimit(.minutes(15)))
struct HandlerIsolationTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    // MARK: Which form a closure chooses

    @Test func aClosureWithoutAwaitRunsBeforePostReturns() {
        center.observe(Ping.self) { [log] message in log("a\(message.number)") }.store(in: bag)
        center.observe(Ping.self) { [log] in log("b\($0.number)") }.store(in: bag)
        center.observe(Ping.self) { [log] message in
            if message.number > 1 { throw CancellationError() }
            log("c\(message.number)")
        }.store(in: bag)
        center.post(Ping(number: 1))
        #expect(log.all == ["a1", "b1", "c1"])
    }

    @Test func soDoesOneWithAnOwner() {
        let owner = Owner()
        center.observe(Ping.self, owner: owner) { $0.log($1.number) }
        center.post(Ping(number: 1))
        #expect(owner.log.all == [1])
    }

    @MainActor @Test func soDoesOneForTheMainActorThere() {
        let owner = Owner()
        center.observe(Ping.self, on: .main) { [log] in log("a\($0.number)") }.store(in: bag)
        center.observe(Ping.self, owner: owner, on: .main) { owner, message in
            MainActor.assertIsolated()
            owner.log(message.number)
        }
        center.post(Ping(number: 1))
        #expect(log.all == ["a1"])
        #expect(owner.log.all == [1])
    }

    @Test func aClosureWithoutAwaitIsQueuedIfAskedFor() async throws {
        let gate = Gate()
        let token = center.messages(of: Ping.self).buffering(.newest(1)).observe { _ in gate.open()
        }
        center.post(Ping())
        try await gate.wait()
        token.cancel()
    }

    // MARK: Where a handler runs

    @MainActor @Test func anAsyncHandlerDoesNotRunOnThePostersActor() async {
        center.messages(of: Ping.self).observe { [log] _ in
            log("\(MainActorCheck.isOnMainActor)")
            await Task.yield()
            log("\(MainActorCheck.isOnMainActor)")
        }.store(in: bag)
        let owner = Owner()
        center.messages(of: Ping.self).observe(owner: owner) { [log] _, _ in
            log("\(MainActorCheck.isOnMainActor)")
            await Task.yield()
        }
        await center.postAndWait(Ping())
        #expect(log.all == ["false", "false", "false"])
    }

    @Test func anAsyncMainHandlerRunsOnTheMainActor() async {
        center.messages(of: Ping.self).observe { @MainActor [log] _ in
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            log("main")
        }.store(in: bag)
        let owner = Owner()
        center.messages(of: Ping.self).observe(owner: owner) { @MainActor owner, message in
            MainActor.assertIsolated()
            await Task.yield()
            owner.log(message.number)
        }
        await center.postAndWait(Ping(number: 3))
        #expect(log.all == ["main"])
        #expect(owner.log.all == [3])
    }

    @Test func taskLocalValuesOfThePosterAreNotInherited() async {
        center.messages(of: Ping.self).observe { [log] _ in
            await Task.yield()
            log(Self.name)
        }.store(in: bag)
        await Self.$name.withValue("poster") { _ = await center.postAndWait(Ping()) }
        #expect(log.all == ["nobody"])
    }

    @TaskLocal private static var name = "nobody"

    // MARK: Actors

    @Test func m12_aHandlerRunsOnItsActorInTheOrderOfItsMailbox() async {
        let shelf = Shelf()
        center.messages(of: Ping.self).observe(on: shelf) { shelf, message in
            shelf.preconditionIsolated()
            shelf.insert(message.number)
        }
        for number in 1...500 { center.post(Ping(number: number)) }
        await center.postAndWait(Ping(number: 501))
        #expect(await shelf.numbers == Array(1...501))
    }

    @Test func m12_alsoIfItSuspendsAndManyPost() async {
        let shelf = Shelf()
        // A handler on the posters' threads has the order in which the mailbox received messages.
        center.messages(of: Ping.self).observe(on: shelf) { shelf, message in
            await Task.yield()
            shelf.insert(message.number)
        }
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask { [center] in
                    for number in 0..<100 { center.post(Ping(number: task * 1_000 + number)) }
                }
            }
        }
        await center.postAndWait(Ping(number: -1))
        let numbers = await shelf.numbers
        #expect(numbers.count == 401)
        for task in 0..<4 {
            let own = numbers.filter { $0 >= 0 && $0 / 1_000 == task }
            #expect(own == (0..<100).map { task * 1_000 + $0 })
        }
    }

    @Test func m5_onItsActorNothingRunsAfterCancel() async throws {
        let shelf = Shelf()
        let token = center.messages(of: Ping.self).observe(on: shelf) { $0.insert($1.number) }
        await shelf.occupy { _ in
            // The worker may be waiting for the actor, but cannot have started.
            for number in 1...10 { center.post(Ping(number: number)) }
            token.cancel()
        }
        await token.cancelAndWait()
        #expect(await shelf.numbers.isEmpty)
    }

    @Test func m12_theActorIsHeldWeaklyAndItsMessagesAreDropped() async throws {
        let (gate, gone) = (Gate(), Gate())
        do {
            let shelf = Shelf()
            let canary = Canary { gone.open() }
            center.messages(of: Ping.self).observe(on: shelf) { [log, canary] _, message in
                canary.stay()
                log("\(message.number)")
                try await gate.wait()
            }
            for number in 1...10 { center.post(Ping(number: number)) }
        }
        gate.open()
        try await gone.wait()
        #expect(log.all.count <= 1)
        #expect(center.count(of: Ping.self) == 0)
        #expect(center.post(Ping()) == 0)
    }

    // MARK: Owners

    @Test func m8_anAsyncHandlerKeepsItsOwnerForTheCallOnly() async throws {
        let (begun, gate, dead) = (Gate(), Gate(), Gate())
        do {
            let owner = Mortal { [log] in
                log("dead")
                dead.open()
            }
            center.messages(of: Ping.self).observe(owner: owner) { [log] owner, message in
                begun.open()
                try await gate.wait()
                log("\(message.number)")
                owner.stay()
            }
            for number in 1...5 { center.post(Ping(number: number)) }
            try await begun.wait()
        }
        gate.open()
        try await dead.wait()
        #expect(log.all == ["1", "dead"])
        await center.postAndWait(Ping(number: 6))
        #expect(center.count(of: Ping.self) == 0)
        #expect(log.all == ["1", "dead"])
    }

    @MainActor @Test func m8_nobodyKeepsAnOwnerWhileTheMainActorIsBusy() async {
        do {
            let owner = Mortal { [log] in log("dead") }
            center.observe(Ping.self, owner: owner, on: .main) { [log] _, _ in log("called") }
            let isDone = finishesOnAnotherThread { [center] in _ = center.post(Ping()) }
            #expect(isDone)
        }
        #expect(log.all == ["dead"])
        await center.postAndWait(Ping())
        #expect(log.all == ["dead"])
    }
}

/// An owner whose end opens a gate.
private final class Mortal: Sendable {
    private let canary: Canary

    init(_ atEnd: @escaping @Sendable () -> Void) {
        canary = Canary(atEnd)
    }

    func stay() {}
}
