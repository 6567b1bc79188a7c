// SPDX-License-Identifier: Apache-2.0
import Observation
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting

/// Changes between a read and the moment at which Swift's Observation starts to track the reader.
@Suite(.timeLimit(.minutes(15)))
struct LateTrackingTests {
    private let publisher = StatePublisher<Int>()
    private let heard = Gate()

    private func waitForCall() async throws {
        try await within(.seconds(600)) { [heard] in try await heard.wait() }
    }

    /// Changes the state on another thread and returns after the change.
    private func change(to value: Int) {
        let isChanged = finishesOnAnotherThread { [publisher] in publisher.updateData(value) }
        #expect(isChanged)
    }

    @Test func s2_aChangeOnAnotherThreadBetweenReadAndRegistrationIsReported() async throws {
        let seen = withObservationTracking {
            let seen = text(publisher.state)
            // Here the library has noted the read and tracks nothing yet.
            change(to: 1)
            return seen
        } onChange: { [heard] in
            heard.open()
        }
        #expect(seen == "unknown")
        try await waitForCall()
    }

    @Test func s2_soIsOneThatTheReaderMakes() async throws {
        withObservationTracking {
            _ = publisher.lastData
            publisher.updateData(1)
        } onChange: { [heard] in
            heard.open()
        }
        try await waitForCall()
    }

    @Test func s2_soIsAnInvalidation() async throws {
        publisher.updateData(1)
        withObservationTracking {
            _ = publisher.isStale
            let isChanged = finishesOnAnotherThread { [publisher] in publisher.invalidate() }
            #expect(isChanged)
        } onChange: { [heard] in
            heard.open()
        }
        try await waitForCall()
    }

    @Test func s2_soIsOneForAReaderThatTracksAgainWhenItIsCalled() async throws {
        withObservationTracking {
            _ = publisher.state
        } onChange: { [self] in
            withObservationTracking {
                _ = publisher.state
                change(to: 2)
            } onChange: { [heard] in
                heard.open()
            }
        }
        publisher.updateData(1)
        try await waitForCall()
    }

    @Test func s2_soIsOneOfSeveralPublishersThatAreTrackedTogether() async throws {
        let other = StatePublisher<Int>()
        withObservationTracking {
            _ = publisher.state
            _ = other.state
            change(to: 1)
            _ = publisher.state.error
        } onChange: { [heard] in
            heard.open()
        }
        try await waitForCall()
    }

    @Test func s2_aReaderThatTracksAgainIsCalledOncePerChange() {
        let reader = Reader(publisher)
        reader.track()
        for value in 1...100 { publisher.updateData(value) }
        #expect(reader.seen.all == ["unknown"] + (1...100).map { "loaded \($0)" })
    }

    /// The last state is read, wherever the two threads were.
    @Test func s2_aReaderOnAnotherThreadNeverMissesTheLastState() async throws {
        for _ in 0..<50 {
            let publisher = StatePublisher<Int>()
            let reader = Task {
                while true {
                    let called = Gate()
                    let data = withObservationTracking {
                        publisher.lastData
                    } onChange: {
                        called.open()
                    }
                    if data == 100 { return }
                    try await called.wait()
                }
            }
            await runOnThreads([{ for value in 1...100 { publisher.updateData(value) } }])
            try await within(.seconds(600)) { try await reader.value }
        }
    }
}

/// A view that reads again whenever it is called.
private final class Reader: Sendable {
    let seen = Log<String>()
    private let publisher: StatePublisher<Int>

    init(_ publisher: StatePublisher<Int>) {
        self.publisher = publisher
    }

    func track() {
        let state = withObservationTracking {
            text(publisher.state)
        } onChange: { [self] in
            track()
        }
        seen(state)
    }
}
