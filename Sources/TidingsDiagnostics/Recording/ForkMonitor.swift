// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Counts how often the memory of this process was copied by `fork`.
///
/// A forked child must not record into the parent's run. Memory-mapped files are shared, and a lock
/// that another thread held at the fork stays locked in the child.
enum ForkMonitor {
    private static let count = Atomic(0)
    private static let isRegistered: Bool =
        pthread_atfork(nil, nil, { ForkMonitor.count.add(1, ordering: .relaxed) }) == 0

    /// A number that changes in a forked child.
    ///
    /// The number is read for every breadcrumb, so reading must be fast.
    static var generation: Int {
        count.load(ordering: .relaxed)
    }

    /// Starts counting.
    static func start() {
        _ = isRegistered
    }
}
