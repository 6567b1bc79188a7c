// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How many of a publisher's observers are content with the newest state.
///
/// Where all are, changes that nobody has told yet are one: a thread that changes the state faster
/// than another one tells it uses no memory. One that is counted is observing, so that there are
/// never more than observe: it is counted after it was added, and before it is taken out no more.
final class LatestObservers: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .acquiring) }

    func add() {
        number.add(1, ordering: .acquiringAndReleasing)
    }

    func remove() {
        number.subtract(1, ordering: .acquiringAndReleasing)
    }
}
