// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tidings
import TidingsResources

/// Shows the errors of all sources: a subscriber that is independent of the publishers' types.
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
        // A state is not an event: receiving it again changes nothing, and a new state replaces it.
        problems.withLock {
            $0[ObjectIdentifier(publisher)] = publisher.error.map { "\($0)" }
        }
    }

    /// The visible lines; empty without errors.
    var lines: [String] {
        problems.withLock { $0.values.sorted().map { "problem   \($0)" } }
    }
}
