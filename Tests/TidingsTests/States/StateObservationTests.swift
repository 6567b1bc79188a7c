// SPDX-License-Identifier: Apache-2.0
import Observation
import Testing
import TidingsCoreFixtures

@testable import Tidings

/// The changes of a publisher that Swift's Observation reports.
@Suite(.timeLimit(.minutes(15)))
struct StateObservationTests {
    private let publisher = StatePublisher<Int>()

    @Test func s2_swiftsObservationReadsTheNewestState() {
        let log = Log<String>()
        withObservationTracking {
            _ = publisher.state
        } onChange: { [publisher] in
            log(text(publisher.state))
        }
        publisher.updateData(1)
        publisher.updateData(2)
        #expect(log.all == ["loaded 1"])
    }

    @Test func s2_swiftsObservationHearsOfAChangeInsideAHandler() {
        let log = Log<String>()
        let token = publisher.observe { [publisher] state in
            guard case .loading = state else { return }
            withObservationTracking {
                _ = publisher.state
            } onChange: {
                log(text(publisher.state))
            }
            publisher.updateData(1)
            #expect(log.all == ["loaded 1"])
        }
        publisher.startLoading()
        #expect(log.all == ["loaded 1"])
        token.cancel()
    }

    @Test func s2_swiftsObservationTracksStaleness() {
        let log = Log<String>()
        withObservationTracking {
            _ = publisher.isStale
        } onChange: {
            log("changed")
        }
        publisher.updateData(1)
        #expect(log.all == ["changed"])
        withObservationTracking {
            _ = publisher.isStale
        } onChange: {
            log("invalidated")
        }
        publisher.invalidate()
        #expect(log.all == ["changed", "invalidated"])
    }
}
