// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct PresenceStateTests {
    private let machine = Machine(PresenceState())

    @Test func startsAndStopsInTurn() {
        #expect(machine { $0.update(isObserved: false) } == .none)
        #expect(machine { $0.update(isObserved: true) } == .start)
        #expect(machine { $0.finish(isObserved: true) } == .none)
        #expect(machine { $0.update(isObserved: true) } == .none)
        #expect(machine { $0.update(isObserved: false) } == .stop)
        #expect(machine { $0.finish(isObserved: false) } == .none)
    }

    @Test func whoSwitchesDoesWhatBecomesDueMeanwhile() {
        #expect(machine { $0.update(isObserved: true) } == .start)
        #expect(machine { $0.update(isObserved: false) } == .none)
        #expect(machine { $0.finish(isObserved: false) } == .stop)
        #expect(machine { $0.update(isObserved: true) } == .none)
        #expect(machine { $0.finish(isObserved: true) } == .start)
        #expect(machine { $0.finish(isObserved: true) } == .none)
    }

    @Test func afterItsEndItStopsWhatRunsAndStartsNothing() {
        #expect(machine { $0.update(isObserved: true) } == .start)
        machine { $0.end() }
        #expect(machine { !$0.isOver })
        #expect(machine { $0.finish(isObserved: true) } == .stop)
        #expect(machine { !$0.isOver })
        #expect(machine { $0.finish(isObserved: true) } == .none)
        #expect(machine { $0.isOver })
        #expect(machine { $0.update(isObserved: true) } == .none)
    }
}
