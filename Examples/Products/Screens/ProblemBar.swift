// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tidings

/// Shows what went wrong, wherever: a subscriber that knows no publisher's type.
final class ProblemBar: StateSubscriber {
    private let problems = Mutex<[ObjectIdentifier: String]>([:])

    @MainActor
    init(_ shop: Shop) {
        for publisher in shop.publishers { publisher.subscribe(self) }
    }

    @MainActor
    func disappear(from shop: Shop) {
        for publisher in shop.publishers { publisher.unsubscribe(self) }
    }

    func publication(from publisher: any AnyStatePublisher) {
        // A state, not an event: the same one told twice changes nothing, and what is over is gone.
        problems.withLock {
            $0[ObjectIdentifier(publisher)] = publisher.error.map { "\($0)" }
        }
    }

    /// What a person sees: nothing, as long as all is well.
    var lines: [String] {
        problems.withLock { $0.values.sorted().map { "problem   \($0)" } }
    }
}
