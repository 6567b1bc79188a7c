// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting
import TidingsTracing

@testable import Tidings

/// A message with a key.
private struct Change: Message, Equatable {
    let id: Int
    let version: Int
}

/// A message whose release runs a closure.
private struct Mortal: Message {
    let id: Int
    var canary = Canary()
}

/// A key whose hashing and comparing run a closure.
private struct LoudKey: Hashable, Sendable {
    let id: Int
    let use: @Sendable () -> Void

    static func == (left: LoudKey, right: LoudKey) -> Bool {
        left.use()
        return left.id == right.id
    }

    func hash(into hasher: inout Hasher) {
        use()
        hasher.combine(id)
    }
}

@Suite(.timeLimit(.minutes(15)))
struct CoalescerTests {
    private let center = MessageCenter()
    private let clock = ManualClock()
    private let recorder: MessageRecorder<Change>
    private let changes: Coalescer<Change>

    init() {
        recorder = MessageRecorder(Change.self, on: center)
        changes = center.coalesced(Change.self, by: \.id, after: .seconds(1), clock: clock)
    }

    private func post(_ pairs: (Int, Int)...) {
        for (id, version) in pairs { changes.post(Change(id: id, version: version)) }
    }

    @Test func eachKeyIsPostedOnceWithItsNewestInOrderOfFirstOccurrence() async throws {
        post((1, 1), (2, 1), (1, 2), (3, 1), (2, 2))
        try await clock.waitForSleepers()
        #expect(recorder.messages.isEmpty)
        clock.advance(by: .seconds(1))
        let expected = [(1, 2), (2, 2), (3, 1)].map { Change(id: $0, version: $1) }
        #expect(try await recorder.first(3) == expected)
    }

    @Test func anIntervalBeginsWithItsFirstMessage() async throws {
        post((1, 1))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        _ = try await recorder.first(1)
        clock.advance(by: .seconds(60))
        post((1, 2))
        try await clock.waitForSleepers()
        #expect(recorder.messages.count == 1)
        clock.advance(by: .seconds(1))
        #expect(try await recorder.first(2).map(\.version) == [1, 2])
    }

    @Test func aBurstIsPostedOncePerKey() {
        for version in 1...10_000 { post((version % 3, version)) }
        changes.flush()
        #expect(recorder.messages.map(\.version) == [10_000, 9_998, 9_999])
    }

    @Test func flushingPostsBeforeItReturnsAndDiscardingForgets() async throws {
        post((1, 1), (1, 2))
        changes.flush()
        #expect(recorder.messages.map(\.version) == [2])
        post((1, 3))
        try await clock.waitForSleepers()
        changes.discard()
        #expect(clock.sleeperCount == 0)
        changes.flush()
        #expect(recorder.messages.map(\.version) == [2])
    }

    @Test func droppingTheCoalescerLosesNothing() async throws {
        var changes: Coalescer? = center.coalesced(
            Change.self,
            by: \.id,
            after: .seconds(1),
            clock: clock
        )
        changes?.post(Change(id: 1, version: 1))
        changes = nil
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await recorder.next() == Change(id: 1, version: 1))
    }

    @Test func whatADiscardedMessagePostsWhenItDiesIsPostedInItsTime() async throws {
        let names = MessageRecorder(Mortal.self, on: center)
        let expiring = center.coalesced(Mortal.self, by: \.id, after: .seconds(1), clock: clock)
        expiring.post(Mortal(id: 1, canary: Canary { expiring.post(Mortal(id: 2)) }))
        try await clock.waitForSleepers()
        expiring.discard()
        expiring.post(Mortal(id: 3))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await names.first(2).map(\.id) == [2, 3])
    }

    @Test func anIntervalMayBeLongerThanAnyClockCanSleep() async throws {
        let clock = FarClock()
        let changes = center.coalesced(
            Change.self,
            by: \.id,
            after: .seconds(Int64.max),
            clock: clock
        )
        changes.post(Change(id: 1, version: 1))
        #expect(try await clock.firstSleep() < .seconds(2_000_000_000))
        changes.flush()
        #expect(recorder.messages.map(\.id) == [1])
    }

    @Test func m9_noLockIsHeldWhileKeysAreComparedOrAMessageIsPosted() {
        let log = Log<Bool>()
        let box = Lock<Coalescer<Change>?>(nil)
        let use: @Sendable () -> Void = {
            // Each call gathers another message that is compared, so a few calls are enough.
            guard log.all.count < 20, let coalescer = box.withLock({ $0 }) else { return }
            log(finishesOnAnotherThread { coalescer.post(Change(id: 9, version: 1)) })
        }
        let loud = center.coalesced(
            Change.self,
            by: { LoudKey(id: $0.id, use: use) },
            after: .seconds(1),
            clock: clock
        )
        box.withLock { $0 = loud }
        for version in 1...64 { loud.post(Change(id: version % 2, version: version)) }
        #expect(log.all == Array(repeating: true, count: 20))
        loud.flush()
        box.withLock { $0 = nil }
    }

    @Test func m9_noLockIsHeldWhileAMessageIsPosted() {
        let log = Log<Bool>()
        let token = center.observe(Change.self) { [changes] _ in
            log(
                finishesOnAnotherThread {
                    changes.post(Change(id: 9, version: 1))
                    changes.flush()
                    changes.discard()
                }
            )
        }
        post((1, 1), (2, 1))
        changes.flush()
        #expect(log.all == [true, true])
        token.cancel()
    }

    @Test func watchersSeeWhereTheNewestWasPosted() {
        let places = Log<String>()
        let token = center.watch(posting: { places($0.location) })
        changes.post(Change(id: 1, version: 1))
        let line: UInt = #line + 1
        changes.post(Change(id: 1, version: 2))
        changes.flush()
        #expect(places.all == ["\(#fileID):\(line)"])
        token.cancel()
    }

    @Test func theCenterIsNotKept() async throws {
        var center: MessageCenter? = MessageCenter()
        weak let released = center
        let changes = try #require(center).coalesced(
            Change.self,
            by: \.id,
            after: .seconds(1),
            clock: clock
        )
        changes.post(Change(id: 1, version: 1))
        try await clock.waitForSleepers()
        center = nil
        #expect(released == nil)
        changes.flush()
    }

    @Test func manyThreadsLoseNoKeyAndKeepTheNewest() async throws {
        await withTaskGroup { [changes] group in
            for thread in 0..<4 {
                group.addTask {
                    for version in 1...1_000 {
                        changes.post(Change(id: thread * 10 + version % 5, version: version))
                        if version % 100 == 0 { changes.flush() }
                    }
                }
            }
        }
        let gate = Gate()
        let token = center.observe(Change.self) { if $0.id == 99 { gate.open() } }
        changes.post(Change(id: 99, version: 1))
        changes.flush()
        try await gate.wait()
        for id in (0..<4).flatMap({ thread in (0..<5).map { thread * 10 + $0 } }) {
            let versions = recorder.messages.filter { $0.id == id }.map(\.version)
            #expect(versions == versions.sorted())
            #expect(versions.last == (id % 5 == 0 ? 1_000 : 995 + id % 5))
        }
        token.cancel()
    }

    @Test func aNegativeIntervalIsMisuse() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = MessageCenter().coalesced(Ping.self, by: \.number, after: .seconds(-1))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("A coalescer cannot wait for -1.0 seconds: zero or more."))
    }
}
