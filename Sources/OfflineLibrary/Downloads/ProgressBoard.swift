// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The progress of the running downloads; lives in memory only.
package final class ProgressBoard: Sendable {
    private let progress = Lock<[ItemID: DownloadProgress]>([:])

    package init() {}

    /// How far a running download is, nil when it does not run.
    package func progress(of id: ItemID) -> DownloadProgress? {
        progress.withLock { $0[id] }
    }

    /// The running downloads.
    package var all: [ItemID: DownloadProgress] {
        progress.withLock { $0 }
    }

    func begin(_ id: ItemID) {
        progress.withLock { $0[id] = DownloadProgress() }
    }

    func end(_ id: ItemID) {
        progress.withLock { _ = $0.removeValue(forKey: id) }
    }

    func update(_ id: ItemID, _ change: (inout DownloadProgress) -> Void) {
        progress.withLock { progress in
            guard var value = progress[id] else { return }
            change(&value)
            progress[id] = value
        }
    }
}
