// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Tidings
import TidingsTracing

/// A center with one observer and a watcher.
final class WatchedPosting {
    private let center = MessageCenter()
    private let token: ObservationToken

    init() {
        token = center.observe(Tick.self) { work($0.number) }
    }

    /// Posts with a watcher of postings.
    var postings: Subject {
        posting("post to 1, postings watched", center.watch(posting: { _ in work(0) }))
    }

    /// Posts with a watcher of deliveries, which are timed.
    var deliveries: Subject {
        posting("post to 1, deliveries watched", center.watch(delivered: { _ in work(0) }))
    }

    private func posting(_ name: String, _ watch: ObservationToken) -> Subject {
        Subject(name) { [self] count in
            withExtendedLifetime(watch) {
                for number in 0..<count { center.post(Tick(number: number)) }
            }
        }
    }
}
