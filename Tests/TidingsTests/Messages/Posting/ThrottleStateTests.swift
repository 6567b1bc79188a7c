// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(5)))
struct ThrottleStateTests {
    private let machine = Machine(ThrottleState<Int>(interval: .seconds(10)))

    @Test func theFirstIsPostedAtOnce() {
        #expect(machine { $0.arrive(1, at: .zero) }.0 == .post(1))
        #expect(machine { $0.finish() } == .none)
    }

    @Test func theNewestOfAnIntervalIsPostedAtItsEnd() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        #expect(machine { $0.arrive(2, at: .seconds(1)) }.0 == .setAlarm(.seconds(10)))
        let (action, replaced) = machine { $0.arrive(3, at: .seconds(2)) }
        #expect(action == .none)
        #expect(replaced == 2)
        #expect(machine { $0.ring(at: .seconds(10)) } == .post(3))
    }

    @Test func aWaitingOneBeginsAnIntervalWhenItIsPosted() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        _ = machine { $0.ring(at: .seconds(12)) }
        _ = machine { $0.finish() }
        #expect(machine { $0.arrive(3, at: .seconds(13)) }.0 == .setAlarm(.seconds(22)))
    }

    @Test func oneThatComesDuringAPostWaitsForItsEnd() {
        _ = machine { $0.arrive(1, at: .zero) }
        #expect(machine { $0.arrive(2, at: .seconds(60)) }.0 == .none)
        #expect(machine { $0.ring(at: .seconds(61)) } == .none)
        #expect(machine { $0.finish() } == .setAlarm(.seconds(10)))
        #expect(machine { $0.ring(at: .seconds(62)) } == .post(2))
    }

    @Test func anEarlyRingSetsTheAlarmAgain() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.ring(at: .seconds(9)) } == .setAlarm(.seconds(10)))
    }

    @Test func flushingEndsTheInterval() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        #expect(machine { $0.flush(at: .seconds(1)) } == .none)
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.flush(at: .seconds(3)) } == .post(2))
        _ = machine { $0.finish() }
        #expect(machine { $0.arrive(3, at: .seconds(4)) }.0 == .setAlarm(.seconds(13)))
    }

    @Test func flushingDuringAPostLeavesTheRestToItsEnd() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.flush(at: .seconds(2)) } == .none)
        #expect(machine { $0.finish() } == .setAlarm(.seconds(2)))
    }

    @Test func discardingTakesWhatWaits() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.discard() } == 2)
        #expect(machine { $0.ring(at: .seconds(10)) } == .none)
        #expect(machine { $0.arrive(3, at: .seconds(20)) }.0 == .post(3))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func postsAreSpacedInOrderAndTheLastOneArrives(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var run = ThrottleSimulation()
        for number in 1...400 {
            run.advance(by: .seconds(random.within(0...7)))
            run.arrive(number)
            if random.chance(50) { run.finishPost() }
        }
        run.advance(by: .seconds(100))
        #expect(run.posted.last?.number == 400)
        #expect(zip(run.posted, run.posted.dropFirst()).allSatisfy { $0.number < $1.number })
        let gaps = zip(run.posted, run.posted.dropFirst()).map { $1.time - $0.time }
        #expect(gaps.allSatisfy { $0 >= .seconds(10) })
    }
}

/// Does what a throttle asks for, in a time of its own; a post lasts until it is finished or time
/// goes on.
private struct ThrottleSimulation {
    private var state = ThrottleState<Int>(interval: .seconds(10))
    private var now = Duration.zero
    private var alarm: Duration?
    private var isPosting = false
    private(set) var posted: [(number: Int, time: Duration)] = []

    mutating func arrive(_ number: Int) {
        perform(state.arrive(number, at: now).0)
    }

    mutating func finishPost() {
        guard isPosting else { return }
        isPosting = false
        perform(state.finish())
    }

    mutating func advance(by duration: Duration) {
        let end = now + duration
        if duration > .zero { finishPost() }
        while let due = alarm, due <= end {
            alarm = nil
            now = max(now, due)
            perform(state.ring(at: now))
            finishPost()
        }
        now = end
    }

    private mutating func perform(_ action: ThrottleState<Int>.Action) {
        switch action {
        case .none: break
        case .post(let number):
            isPosting = true
            posted.append((number, now))
        case .setAlarm(let time): alarm = time
        }
    }
}
