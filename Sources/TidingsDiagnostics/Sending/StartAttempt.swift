// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsLock

/// A start of the reporter, marked on disk so that the next start can detect a failure.
///
/// The mark is a file that this process locks. Another process can lock the file only after this
/// process has ended, even in another container.
final class StartAttempt: Sendable {
    /// The maximum time to wait for each lock, so that a stopped process does not block a start.
    private static let lockLimit = Duration.milliseconds(20)

    /// The number of consecutive failed starts before this one.
    let failedBefore: Int
    private let store: ReporterStore
    private let mark: Lock<(path: String, lock: FileLock)?>

    private init(_ store: ReporterStore, failedBefore: Int, mark: (String, FileLock)?) {
        self.store = store
        self.failedBefore = failedBefore
        self.mark = Lock(mark.map { (path: $0.0, lock: $0.1) })
    }

    /// Marks the start.
    ///
    /// This method never fails. If the mark cannot be created, for example because another process
    /// holds the locks too long, this start counts as successful.
    static func begin(_ store: ReporterStore) -> StartAttempt {
        let folder = "\(store.directory)/starts"
        try? SystemFile.makeFolder(folder)
        // The lock prevents another process from checking a mark between the creation and the
        // locking of that mark.
        let turn = try? FileLock.acquire("\(store.directory)/starts.lock", within: lockLimit)
        defer { withExtendedLifetime(turn) {} }
        let failed = turn == nil ? 0 : removeAbandoned(folder)
        let before = store.update(within: lockLimit) { state in
            state.failedStarts += failed
            return state.failedStarts
        }
        let path = "\(folder)/\(UUID().uuidString.lowercased())"
        let lock = turn.flatMap { _ in (try? FileLock.tryAcquire(path)).flatMap { $0 } }
        return StartAttempt(store, failedBefore: before, mark: lock.map { (path, $0) })
    }

    private static func removeAbandoned(_ folder: String) -> Int {
        SystemFile.names(in: folder).count { name in
            let path = "\(folder)/\(name)"
            guard let lock = try? FileLock.tryAcquire(path) else { return false }
            return withExtendedLifetime(lock) { (try? SystemFile.remove(path)) == true }
        }
    }

    /// Counts a loss during the start.
    func count(_ loss: ReportLoss) {
        store.update(within: Self.lockLimit) { $0.count(loss) }
    }

    /// Marks the start as successful.
    func succeed() {
        finish()
        if failedBefore > 0 || store.state.failedStarts > 0 {
            store.update(within: Self.lockLimit) { $0.failedStarts = 0 }
        }
    }

    /// Ends the start with an error, which counts neither as a success nor as a failure.
    func finish() {
        let mark = mark.withLock { mark in
            defer { mark = nil }
            return mark
        }
        guard let mark else { return }
        _ = try? SystemFile.remove(mark.path)
    }
}
