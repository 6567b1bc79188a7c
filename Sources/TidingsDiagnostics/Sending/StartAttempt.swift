// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// A start of the reporter that has begun, marked so that the next one knows if it never ended.
///
/// The mark is a file that this process has locked: whoever can lock it knows that its process
/// is gone, also in another container.
final class StartAttempt: Sendable {
    /// How long a start waits for each lock: a program starts even if another one is stopped.
    private static let lockLimit = Duration.milliseconds(20)

    /// How many starts before this one did not come to their end, in a row.
    let failedBefore: Int
    private let store: ReporterStore
    private let mark: Lock<(path: String, lock: FileClaim)?>

    private init(_ store: ReporterStore, failedBefore: Int, mark: (String, FileClaim)?) {
        self.store = store
        self.failedBefore = failedBefore
        self.mark = Lock(mark.map { (path: $0.0, lock: $0.1) })
    }

    /// Begins a start.
    ///
    /// Never fails: where the mark cannot be made, also because another process has the locks for
    /// too long, this start counts as one that ends well.
    static func begin(_ store: ReporterStore) -> StartAttempt {
        let folder = "\(store.directory)/starts"
        try? SystemFile.makeFolder(folder)
        // Nobody looks at a mark between its making and its locking.
        let turn = try? FileClaim.taken("\(store.directory)/starts.lock", within: lockLimit)
        defer { withExtendedLifetime(turn) {} }
        let failed = turn == nil ? 0 : removeAbandoned(folder)
        let before = store.update(within: lockLimit) { state in
            state.failedStarts += failed
            return state.failedStarts
        }
        let path = "\(folder)/\(UUID().uuidString.lowercased())"
        let lock = turn.flatMap { _ in (try? FileClaim(path)).flatMap { $0 } }
        return StartAttempt(store, failedBefore: before, mark: lock.map { (path, $0) })
    }

    private static func removeAbandoned(_ folder: String) -> Int {
        SystemFile.names(in: folder).count { name in
            let path = "\(folder)/\(name)"
            guard let lock = try? FileClaim(path) else { return false }
            return withExtendedLifetime(lock) { (try? SystemFile.remove(path)) == true }
        }
    }

    /// Counts what this start could not keep.
    func count(_ loss: ReportLoss) {
        store.update(within: Self.lockLimit) { $0.count(loss) }
    }

    /// The start has come to its end.
    func succeed() {
        finish()
        if failedBefore > 0 || store.state.failedStarts > 0 {
            store.update(within: Self.lockLimit) { $0.failedStarts = 0 }
        }
    }

    /// The start ends with an error: this counts neither way.
    func finish() {
        let mark = mark.withLock { mark in
            defer { mark = nil }
            return mark
        }
        guard let mark else { return }
        _ = try? SystemFile.remove(mark.path)
    }
}
