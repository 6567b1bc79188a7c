// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct PaceStateTests {
    private let machine = Machine(PaceState<Int>(.throttled(.seconds(10))))

    @Test func theFirstPassesAtOnce() {
        #expect(machine { $0.arrive(1, at: .zero) }.0 == .pass(1))
        #expect(machine { $0.finish() } == .none)
    }

    @Test func theNewestOfAnIntervalPassesAtItsEnd() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        #expect(machine { $0.arrive(2, at: .seconds(1)) }.0 == .setTimer(.seconds(10)))
        let (action, replaced) = machine { $0.arrive(3, at: .seconds(2)) }
        #expect(action == .none)
        #expect(replaced == 2)
        #expect(machine { $0.ring(at: .seconds(10)) } == .pass(3))
    }

    @Test func aWaitingOneBeginsAnIntervalWhenItPasses() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        _ = machine { $0.ring(at: .seconds(12)) }
        _ = machine { $0.finish() }
        #expect(machine { $0.arrive(3, at: .seconds(13)) }.0 == .setTimer(.seconds(22)))
    }

    @Test func oneThatComesWhileAnotherPassesWaitsForItsEnd() {
        _ = machine { $0.arrive(1, at: .zero) }
        #expect(machine { $0.arrive(2, at: .seconds(60)) }.0 == .none)
        #expect(machine { $0.ring(at: .seconds(61)) } == .none)
        #expect(machine { $0.finish() } == .setTimer(.seconds(10)))
        #expect(machine { $0.ring(at: .seconds(62)) } == .pass(2))
    }

    @Test func anEarlyRingSetsTheAlarmAgain() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.ring(at: .seconds(9)) } == .setTimer(.seconds(10)))
    }

    @Test func closingLetsWhatWaitsPassAtOnceAndEnds() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.close(at: .seconds(3)) } == .setTimer(.seconds(3)))
        #expect(machine { $0.ring(at: .seconds(3)) } == .pass(2))
        #expect(machine { $0.finish() } == .end)
    }

    @Test func closingWithNothingLeftEndsAtOnce() {
        #expect(machine { $0.close(at: .seconds(1)) } == .end)
    }

    @Test func closingWhileAnElementPassesLeavesTheRestToItsEnd() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.close(at: .seconds(2)) } == .none)
        #expect(machine { $0.finish() } == .setTimer(.seconds(2)))
        #expect(machine { $0.ring(at: .seconds(2)) } == .pass(2))
        #expect(machine { $0.finish() } == .end)
    }

    @Test func discardingTakesWhatWaits() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        let (action, dropped) = machine { $0.discard() }
        #expect(action == .none)
        #expect(dropped == 2)
        #expect(machine { $0.ring(at: .seconds(10)) } == .none)
        #expect(machine { $0.arrive(3, at: .seconds(20)) }.0 == .pass(3))
    }

    @Test func discardingTheLastElementOfAClosedPaceEndsIt() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.finish() }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.close(at: .seconds(2)) } == .setTimer(.seconds(2)))
        #expect(machine { $0.discard() }.0 == .end)
        #expect(machine { $0.discard() }.0 == .none)
    }

    @Test func whileAnElementPassesItsEndIsTheEnd() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.arrive(2, at: .seconds(1)) }
        #expect(machine { $0.close(at: .seconds(2)) } == .none)
        #expect(machine { $0.discard() }.0 == .none)
        #expect(machine { $0.finish() } == .end)
    }

    @Test func ofDebouncedOnesTheNewestPassesAfterAQuietTime() {
        let machine = Machine(PaceState<Int>(.debounced(.seconds(10))))
        #expect(machine { $0.arrive(1, at: .zero) }.0 == .setTimer(.seconds(10)))
        #expect(machine { $0.arrive(2, at: .seconds(6)) }.0 == .none)
        #expect(machine { $0.ring(at: .seconds(10)) } == .setTimer(.seconds(16)))
        #expect(machine { $0.ring(at: .seconds(16)) } == .pass(2))
        #expect(machine { $0.finish() } == .none)
        #expect(machine { $0.arrive(3, at: .seconds(17)) }.0 == .setTimer(.seconds(27)))
    }

    @Test func ofSampledOnesTheNewestPassesAtTheEndOfEachInterval() {
        let machine = Machine(PaceState<Int>(.sampled(.seconds(10))))
        #expect(machine { $0.arrive(1, at: .seconds(3)) }.0 == .setTimer(.seconds(10)))
        #expect(machine { $0.arrive(2, at: .seconds(9)) }.0 == .none)
        #expect(machine { $0.ring(at: .seconds(11)) } == .pass(2))
        #expect(machine { $0.finish() } == .none)
        #expect(machine { $0.arrive(3, at: .seconds(40)) }.0 == .setTimer(.seconds(50)))
    }

    @Test(arguments: [1, 3, 7, 10, 333])
    func theEndOfAnIntervalIsExact(milliseconds: Int) {
        let interval = Duration.milliseconds(milliseconds)
        for count in 0..<1_000 {
            let machine = Machine(PaceState<Int>(.sampled(interval)))
            let action = machine { $0.arrive(1, at: interval * count) }.0
            #expect(action == .setTimer(interval * (count + 1)))
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func theyAreSpacedInOrderAndTheLastOneArrives(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var run = PaceSimulation()
        for number in 1...400 {
            run.advance(by: .seconds(random.within(0...7)))
            run.arrive(number)
            if random.chance(50) { run.finishPassing() }
        }
        run.advance(by: .seconds(100))
        #expect(run.passed.last?.number == 400)
        #expect(zip(run.passed, run.passed.dropFirst()).allSatisfy { $0.number < $1.number })
        let gaps = zip(run.passed, run.passed.dropFirst()).map { $1.time - $0.time }
        #expect(gaps.allSatisfy { $0 >= .seconds(10) })
    }
}

/// Does the work of a pace in a simulated time.
///
/// An element passes until the work is done or time goes on.
private struct PaceSimulation {
    private var state = PaceState<Int>(.throttled(.seconds(10)))
    private var now = Duration.zero
    private var timer: Duration?
    private var isPassing = false
    private(set) var passed: [(number: Int, time: Duration)] = []

    mutating func arrive(_ number: Int) {
        perform(state.arrive(number, at: now).0)
    }

    mutating func finishPassing() {
        guard isPassing else { return }
        isPassing = false
        perform(state.finish())
    }

    mutating func advance(by duration: Duration) {
        let end = now + duration
        if duration > .zero { finishPassing() }
        while let due = timer, due <= end {
            timer = nil
            now = max(now, due)
            perform(state.ring(at: now))
            finishPassing()
        }
        now = end
    }

    private mutating func perform(_ action: PaceState<Int>.Action) {
        switch action {
        case .none: break
        case .pass(let number):
            isPassing = true
            passed.append((number, now))
        case .setTimer(let time): timer = time
        case .end: break
        }
    }
}
