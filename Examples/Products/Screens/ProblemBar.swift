// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tidings
import TidingsResources

/// A subscriber that shows the errors of all sources, independently of the publishers' types.
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
        // A state is not an event. A repeated state changes nothing, and a new state replaces the
        // old state.
        problems.withLock {
            $0[ObjectIdentifier(publisher)] = publisher.error.map { "\($0)" }
        }
    }

    /// The visible lines, which are empty without errors.
    var lines: [String] {
        problems.withLock { $0.values.sorted().map { "problem   \($0)" } }
    }
}
