// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct SleepTimerStateTests {
    private let machine = Machine(SleepTimerState<String>())

    @Test func ringsOnce() throws {
        let number = try #require(machine { $0.set(to: .seconds(1)) }).number
        #expect(machine { $0.keep("task", number) })
        #expect(machine { $0.ring(number) })
        #expect(!machine { $0.ring(number) })
    }

    @Test func anEarlierTimeReplacesALaterOne() throws {
        let late = try #require(machine { $0.set(to: .seconds(2)) }).number
        #expect(machine { $0.keep("late", late) })
        let early = try #require(machine { $0.set(to: .seconds(1)) })
        #expect(early.replaced == "late")
        #expect(!machine { $0.ring(late) })
        #expect(machine { $0.ring(early.number) })
    }

    @Test func aLaterTimeLeavesAnEarlierOneAlone() throws {
        let early = try #require(machine { $0.set(to: .seconds(1)) }).number
        #expect(machine { $0.set(to: .seconds(2)) } == nil)
        #expect(machine { $0.ring(early) })
        #expect(machine { $0.set(to: .seconds(2)) } != nil)
    }

    @Test func theTaskOfOneThatRangIsNeverCancelled() throws {
        let number = try #require(machine { $0.set(to: .seconds(1)) }).number
        #expect(machine { $0.ring(number) })
        // The timer rang before the task was kept, and the call has set the next timer.
        let next = try #require(machine { $0.set(to: .seconds(2)) })
        #expect(next.replaced == nil)
        #expect(machine { $0.keep("rang", number) })
        #expect(machine { $0.clear() } == nil)
    }

    @Test func oneThatWasClearedBeforeItWasKeptIsCancelled() throws {
        let number = try #require(machine { $0.set(to: .seconds(1)) }).number
        #expect(machine { $0.clear() } == nil)
        #expect(!machine { $0.keep("task", number) })
        #expect(!machine { $0.ring(number) })
    }
}
