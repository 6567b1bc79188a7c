// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import TidingsLock

/// The progress of the running downloads, in memory only.
///
/// The store is safe to use from any thread. A download that waits for the network keeps an entry
/// in the store.
package final class ProgressStore: Sendable {
    private let entries = Lock<[ItemID: DownloadProgress]>([:])

    /// Creates an empty store.
    package init() {}

    /// Returns the progress of a download, or nil if the download is not running.
    package func progress(of id: ItemID) -> DownloadProgress? {
        entries.withLock { $0[id] }
    }

    /// The progress of all running downloads.
    package var all: [ItemID: DownloadProgress] {
        entries.withLock { $0 }
    }

    func begin(_ id: ItemID) {
        entries.withLock { $0[id] = DownloadProgress() }
    }

    func end(_ id: ItemID) {
        entries.withLock { _ = $0.removeValue(forKey: id) }
    }

    func update(_ id: ItemID, _ change: (inout DownloadProgress) -> Void) {
        entries.withLock { entries in
            guard var value = entries[id] else { return }
            change(&value)
            entries[id] = value
        }
    }
}
