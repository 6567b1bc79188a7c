// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Counts how often the memory of this process was copied by `fork`.
///
/// A forked child must not record into its parent's run: memory-mapped files are shared, and a lock
/// that another thread held at the fork stays locked in the child.
enum ForkMonitor {
    private static let count = Atomic(0)
    private static let isRegistered: Bool =
        pthread_atfork(nil, nil, { ForkMonitor.count.add(1, ordering: .relaxed) }) == 0

    /// Changes in a forked child.
    ///
    /// Read for every breadcrumb, so it must be fast.
    static var generation: Int {
        count.load(ordering: .relaxed)
    }

    /// Starts counting.
    static func start() {
        _ = isRegistered
    }
}
