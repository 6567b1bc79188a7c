// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct MainActorBufferTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    /// Posts from a thread other than the main actor's.
    private func postElsewhere(_ numbers: ClosedRange<Int>) {
        let isDone = finishesOnAnotherThread { [center] in
            for number in numbers { center.post(Ping(number: number)) }
        }
        #expect(isDone)
    }

    // MARK: The main-actor buffer, as a value

    private func makeCall() -> MainCall {
        MainCall(nil, MainCall.Work(run: {}, drop: {}))
    }

    @Test func aFullLaneDropsByItsPolicy() {
        var newest = MainActorBuffer.State(.newest(1))
        var oldest = MainActorBuffer.State(.oldest(1))
        let (first, second) = (makeCall(), makeCall())
        #expect(newest.push(first, hasPlace: false).isIn)
        let replaced = newest.push(second, hasPlace: false)
        #expect(replaced.isIn)
        #expect(replaced.dropped === first)
        #expect(newest.take(first) == nil)
        #expect(newest.take(second) != nil)
        #expect(newest.bufferState.count == 0)
        #expect(oldest.push(first, hasPlace: false).isIn)
        let refused = oldest.push(second, hasPlace: false)
        #expect(!refused.isIn)
        #expect(refused.dropped == nil)
        #expect(oldest.take(first) != nil)
    }

    @Test func callsMayLeaveInAnotherOrder() {
        var mainBuffer = MainActorBuffer.State(.newest(2))
        let calls = (0..<3).map { _ in makeCall() }
        for call in calls { _ = mainBuffer.push(call, hasPlace: false) }
        #expect(mainBuffer.take(calls[2]) != nil)
        #expect(mainBuffer.take(calls[1]) != nil)
        #expect(mainBuffer.take(calls[0]) == nil)
        #expect(mainBuffer.bufferState.count == 0)
    }

    @Test func theQueueForgetsTheDroppedOnceTheyAreMany() {
        var waiting = MainQueue.Waiting()
        let calls = (0..<200).map { _ in makeCall() }
        for call in calls { _ = waiting.append(call) }
        for call in calls.dropLast(20) {
            call.drop()
            _ = waiting.noteDrop()
        }
        #expect(waiting.count < 150)
        var left = 0
        while let call = waiting.popFirst() {
            if !call.isDropped { left += 1 }
        }
        #expect(left == 20)
    }

    // MARK: Observations

    @MainActor
    @Test(arguments: [
        (Buffering.newest(2), ["a1", "a2", "a3", "a4", "b3", "b4"]),
        (.oldest(2), ["a1", "b1", "a2", "b2", "a3", "a4"]),
        (.unbounded, ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4"]),
    ])
    func m13_aBoundedOneDropsItsOwnAndNobodyElses(
        buffering: Buffering,
        expected: [String]
    ) async {
        center.observe(Ping.self, on: .main) { [log] in log("a\($0.number)") }.store(in: bag)
        let token = center.messages(of: Ping.self).buffering(buffering).observe(on: .main) {
            [log] message in
            log("b\(message.number)")
        }
        postElsewhere(1...4)
        #expect(token.pending == expected.count - 4)
        #expect(token.dropped == 8 - expected.count)
        center.mainQueue.drain(for: center)
        // Kept messages stay in the order of posting.
        let byNumber = expected.filter { $0.hasPrefix("a") || expected.contains($0) }
        #expect(log.all.filter { $0.hasPrefix("a") } == ["a1", "a2", "a3", "a4"])
        #expect(log.all.sorted { $0.last ?? "0" < $1.last ?? "0" } == log.all)
        #expect(Set(log.all) == Set(byNumber))
        #expect(token.pending == 0)
    }

    @MainActor @Test func m13_aRejectedMessageDisplacesNoneThatIsAccepted() async {
        let owner = Owner()
        let token = center.messages(of: Ping.self).where { $0.number.isMultiple(of: 3) }
            .buffering(.newest(1)).observe(owner: owner, on: .main) { $0.log($1.number) }
        postElsewhere(3...5)
        #expect(token.pending == 1)
        #expect(token.dropped == 0)
        center.post(Ping(number: 6))
        center.post(Ping(number: 7))
        #expect(owner.log.all == [3, 6])
        for number in 8...9 { await center.postAndWait(Ping(number: number)) }
        #expect(owner.log.all == [3, 6, 9])
    }

    @MainActor @Test func aFilterIsCalledOnceForEachMessage() async {
        let filtered = Log<Int>()
        @Sendable func passes(_ number: Int) -> Bool {
            filtered(number)
            return true
        }
        center.messages(of: Ping.self).where { passes($0.number) }.buffering(.oldest(8))
            .observe(on: .main) { _ in }.store(in: bag)
        center.messages(named: "count").where { passes($0.object as? Int ?? 0) }
            .buffering(.oldest(8)).observe(on: .main) { [log] _ in log("named") }.store(in: bag)
        postElsewhere(1...2)
        let isDone = finishesOnAnotherThread { [center] in center.post(named: "count", object: 3) }
        #expect(isDone)
        center.post(Ping(number: 4))
        await center.postAndWait(Ping(number: 5))
        #expect(filtered.all == [1, 2, 3, 4, 5])
        #expect(log.all == ["named"])
    }

    @MainActor @Test func m13_cancellingEmptiesTheLane() {
        let token = center.observe(Ping.self, on: .main) { [log] _ in log("late") }
        postElsewhere(1...3)
        #expect(token.pending == 3)
        token.cancel()
        #expect(token.pending == 0)
        center.mainQueue.drain(for: center)
        #expect(log.all.isEmpty)
        #expect(token.dropped == 0)
    }

    @MainActor @Test func m11_aBoundedLaneKeepsTheOrderWithAnInlineCall() {
        let owner = Owner()
        let token = center.messages(of: Ping.self).buffering(.newest(2)).observe(
            owner: owner,
            on: .main
        ) {
            $0.log($1.number)
        }
        postElsewhere(1...5)
        center.post(Ping(number: 6))
        #expect(owner.log.all == [4, 5, 6])
        #expect(token.dropped == 3)
    }

    @MainActor @Test func whatIsDroppedIsReleasedAtOnce() {
        struct Photo: Message {
            let canary: Canary
        }
        let token = center.messages(of: Photo.self).buffering(.newest(1)).observe(on: .main) { _ in
        }
        let isDone = finishesOnAnotherThread { [center, log] in
            for number in 1...3 { center.post(Photo(canary: Canary { log("\(number)") })) }
        }
        #expect(isDone)
        #expect(log.all == ["1", "2"])
        token.cancel()
        #expect(log.all == ["1", "2", "3"])
    }

    @MainActor @Test func onceDropsWhatElseWaits() {
        let token = center.messages(of: Ping.self).once().observe(on: .main) { [log] message in
            log("\(message.number)")
        }
        postElsewhere(1...3)
        center.mainQueue.drain(for: center)
        #expect(log.all == ["1"])
        #expect(token.pending == 0)
    }
}
