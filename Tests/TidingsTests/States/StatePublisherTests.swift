// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

/// A state in a form that tests can compare.
func text(_ state: LoadState<Int>) -> String {
    switch state {
    case .unknown: "unknown"
    case .loading(let previous): "loading \(previous.map(String.init) ?? "-")"
    case .loaded(let data): "loaded \(data)"
    case .error: "error"
    }
}

private struct Failure: Error {}

@Suite(.timeLimit(.minutes(1)))
struct StatePublisherTests {
    private let publisher = StatePublisher<Int>()

    @Test func tellsTheCurrentStateAndThenEveryChange() {
        let log = Log<String>()
        let token = publisher.observe { log(text($0)) }
        publisher.startLoading()
        publisher.updateData(1)
        publisher.startLoading()
        publisher.setError(Failure())
        publisher.reset()
        token.cancel()
        publisher.updateData(2)
        #expect(
            log.all == [
                "unknown", "loading -", "loaded 1", "loading 1", "error", "unknown",
            ]
        )
    }
}
