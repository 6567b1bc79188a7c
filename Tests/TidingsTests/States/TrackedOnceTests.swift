// SPDX-License-Identifier: Apache-2.0
import Observation
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
    private func rest(_ publisher: StatePublisher<Int>) async throws {
        while !publisher.delivery.bridge.isAtRest {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test func s2_aChangeDuringTheCallDoesNotCallTheReaderAgain() async throws {
        withObservationTracking {
            _ = publisher.state
        } onChange: {
            calls("first")
            // Observation drops the reader when this closure returns.
            if calls.all.count == 1 { change(to: 2) }
        }
        publisher.updateData(1)
        try await rest(publisher)
        #expect(calls.all == ["first"])
    }

    @Test func s2_anotherReaderIsToldOfAChangeDuringTheCall() async throws {
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
        try await rest(publisher)
        #expect(calls.all == ["second"])
    }

    @Test func s2_aLateReaderDoesNotCallTheOthers() async throws {
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
        try await rest(publisher)
        #expect(calls.all == ["late"])
    }

    @Test func s2_changesOfManyThreadsCallEachReaderOnce() async throws {
        for round in 0..<100 {
            let (publisher, count) = (StatePublisher<Int>(), Log<Int>())
            withObservationTracking {
                _ = publisher.state
            } onChange: {
                count(round)
            }
            await runOnThreads((0..<4).map { value in { publisher.updateData(value) } })
            try await rest(publisher)
            #expect(count.all == [round])
        }
    }

    @Test func s2_aReaderThatChangesTheStateAgainAndAgainHearsOfEachChange() async throws {
        let reader = ChangingReader(publisher, until: 300)
        reader.track()
        publisher.updateData(0)
        while reader.calls.all.last != 300 {
            try Task.checkCancellation()
            await Task.yield()
        }
        try await rest(publisher)
        #expect(reader.calls.all == Array(0...300))
    }
}

/// A reader that changes the state whenever it is called.
private final class ChangingReader: Sendable {
    let calls = Log<Int>()
    private let publisher: StatePublisher<Int>
    private let last: Int

    init(_ publisher: StatePublisher<Int>, until last: Int) {
        self.publisher = publisher
        self.last = last
    }

    func track() {
        withObservationTracking {
            _ = publisher.lastData
        } onChange: { [self] in
            guard let data = publisher.lastData else { return }
            calls(data)
            guard data < last else { return }
            track()
            publisher.updateData(data + 1)
        }
    }
}
