// SPDX-License-Identifier: Apache-2.0
import Observation
import Synchronization
import Testing
import TidingsCoreFixtures

@testable import Tidings

/// The number of calls that a reader gets from Swift's Observation.
@Suite(.timeLimit(.minutes(15)))
struct TrackedOnceTests {
    private let publisher = StatePublisher<Int>()
    private let calls = Log<String>()

    /// Changes the state on another thread and returns after the change.
    private func change(to value: Int) {
        let isChanged = finishesOnAnotherThread { [publisher] in publisher.updateData(value) }
        #expect(isChanged)
    }

    /// Waits until no notification is due.
    private func rest() async {
        while !publisher.delivery.bridge.isAtRest { await Task.yield() }
    }

    @Test func s13_aChangeDuringTheCallDoesNotCallTheReaderAgain() async {
        withObservationTracking {
            _ = publisher.state
        } onChange: {
            calls("first")
            // Observation drops the reader when this closure returns.
            change(to: 2)
        }
        publisher.updateData(1)
        await rest()
        #expect(calls.all == ["first"])
    }

    @Test func s13_anotherReaderIsToldOfAChangeDuringTheCall() async {
        withObservationTracking {
            _ = publisher.state
        } onChange: {
            withObservationTracking {
                _ = publisher.state
            } onChange: {
                calls("second")
            }
            change(to: 2)
        }
        publisher.updateData(1)
        await rest()
        #expect(calls.all == ["second"])
    }

    @Test func s13_aReaderThatIsLateTwiceIsCalledOnce() async {
        withObservationTracking {
            for value in 1...3 {
                _ = publisher.state
                change(to: value)
            }
        } onChange: { [calls] in
            calls("late")
        }
        await rest()
        #expect(calls.all == ["late"])
    }

    @Test func s13_aLateReaderDoesNotCallTheOthers() async {
        withObservationTracking {
            _ = publisher.state
            change(to: 1)
            // This reader starts after the change.
            withObservationTracking {
                _ = publisher.state
            } onChange: { [calls] in
                calls("in time")
            }
        } onChange: { [calls] in
            calls("late")
        }
        await rest()
        #expect(calls.all == ["late"])
    }

    @Test func s13_changesOfManyThreadsCallEachReaderOnce() async {
        for round in 0..<100 {
            let (publisher, count) = (StatePublisher<Int>(), Log<Int>())
            withObservationTracking {
                _ = publisher.state
            } onChange: {
                count(round)
            }
            await runOnThreads((0..<4).map { value in { publisher.updateData(value) } })
            while !publisher.delivery.bridge.isAtRest { await Task.yield() }
            #expect(count.all == [round])
        }
    }

    @Test func s13_twoViewsDrawOnceForAChangeAfterARest() async {
        let views = [View(publisher), View(publisher)]
        for view in views { view.draw() }
        await runOnThreads([
            { [publisher] in for value in 1...4_000 { publisher.updateData(value) } }
        ])
        for view in views { await view.shows(4_000) }
        await rest()
        let before = views.map(\.draws)
        publisher.updateData(4_001)
        for view in views { await view.shows(4_001) }
        await rest()
        #expect(views.map(\.draws) == before.map { $0 + 1 })
    }
}

/// A view that draws in a task after each change.
private final class View: Sendable {
    private struct State {
        var shown: Int?
        var draws = 0
        var isDue = false
    }

    private let publisher: StatePublisher<Int>
    private let state = Mutex(State())

    init(_ publisher: StatePublisher<Int>) {
        self.publisher = publisher
    }

    var draws: Int { state.withLock { $0.draws } }

    func draw() {
        state.withLock { $0.isDue = false }
        let shown = withObservationTracking {
            publisher.lastData
        } onChange: { [self] in
            state.withLock { $0.isDue = true }
            Task { draw() }
        }
        state.withLock { state in
            state.shown = shown
            state.draws += 1
        }
    }

    /// Waits until the view shows a value and no draw is due.
    func shows(_ value: Int) async {
        while state.withLock({ $0.shown != value || $0.isDue }) { await Task.yield() }
    }
}
