// SPDX-License-Identifier: Apache-2.0
import Benching
import Tidings

/// A center with one observer and somebody who watches.
final class WatchedPosting {
    private let center = MessageCenter()
    private let token: ObservationToken

    init() {
        token = center.observe(Tick.self) { work($0.number) }
    }

    /// The watcher is told of postings only.
    var postings: Subject {
        posting("post to 1, postings watched", center.watch(posting: { _ in work(0) }))
    }

    /// The watcher is told of deliveries only, which are timed.
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
