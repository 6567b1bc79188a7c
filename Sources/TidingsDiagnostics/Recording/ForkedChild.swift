// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// How often the memory of this process was copied by `fork` since it was first looked at.
///
/// What a parent records into is the parent's: memory that is a file is the same in both, and a
/// lock that another thread had at the fork stays locked in the child for ever.
enum ForkedChild {
    private static let count = Atomic(0)
    private static let isWatched: Bool =
        pthread_atfork(nil, nil, { ForkedChild.count.add(1, ordering: .relaxed) }) == 0

    /// Another number than before means another process; asked as often as a breadcrumb is made.
    static var generation: Int {
        count.load(ordering: .relaxed)
    }

    /// Begins to count.
    static func watch() {
        _ = isWatched
    }
}
