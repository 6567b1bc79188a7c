// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsLock

/// Stores the state that all processes with the same folder share, in one file.
///
/// Each change holds a lock, reads the current state, writes the new state to a new file, waits for
/// the disk, and replaces the old file atomically. A damaged file is moved aside, and the state
/// starts over without consent. A change that cannot be written applies to this process and is
/// written later. A revocation needs neither the lock nor space in the state file, because a marker
/// file in the same folder records the revocation until the user gives consent again.
final class ReporterStore: Sendable {
    /// A change, which is called again if the first result could not be written.
    typealias Change = @Sendable (inout ReporterState) -> Void

    /// The maximum time that a change waits for other processes.
    static let lockLimit = Duration.seconds(2)
    private static let fileLimit = 1 << 20
    /// The maximum number of pending changes, beyond which the oldest changes are dropped.
    private static let pendingLimit = 1_000

    private struct PendingChanges {
        var changes: [Change] = []
        /// The number of changes removed from the front since the start.
        var removedCount = 0
    }

    let directory: String
    private let pending = Lock(PendingChanges())

    /// Creates a store without reading or writing a file.
    init(directory: String) {
        self.directory = directory
    }

    private var path: String { "\(directory)/state.json" }
    private var revocation: RevocationMarker { RevocationMarker(in: directory) }

    /// The current state.
    var state: ReporterState {
        // The marker is checked first, because new consent is written to the state before the
        // marker is removed.
        let isRevoked = revocation.exists
        var state = if case .state(let stored) = stored() { stored } else { ReporterState() }
        if isRevoked { state.consent = .revoked }
        for change in pending.withLock({ $0.changes }) { change(&state) }
        return state
    }

    /// Changes the state atomically and returns the result of `body`.
    ///
    /// Blocks for the disk and for other processes. A failure of the disk is not an error here.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait for other processes.
    ///   - body: The change, which may run again later. A later result is ignored.
    /// - Returns: The result of `body`.
    @discardableResult
    func update<Result>(
        within limit: Duration = lockLimit,
        _ body: @escaping @Sendable (inout ReporterState) -> Result
    ) -> Result {
        do {
            try? SystemFile.makeFolder(directory)
            let lock = try FileLock.acquire("\(directory)/state.lock", within: limit)
            defer { withExtendedLifetime(lock) {} }
            let (changes, removedCount) = pending.withLock { ($0.changes, $0.removedCount) }
            let base = try writableState()
            var state = base
            let isRevoked = revocation.exists
            if isRevoked { state.consent = .revoked }
            for change in changes { change(&state) }
            let result = body(&state)
            if state != base {
                do throws(SystemError) {
                    try write(state)
                } catch {
                    enqueue(body)
                    return result
                }
            }
            // Only a decision that was based on the revocation can end the revocation.
            if isRevoked, state.consent != .revoked { revocation.remove() }
            removeWritten(changes.count, since: removedCount)
            return result
        } catch {
            var state = state
            let result = body(&state)
            enqueue(body)
            return result
        }
    }

    /// Writes the changes that could not be written earlier.
    func writePendingChanges() {
        guard !pending.withLock(\.changes.isEmpty) else { return }
        update { _ in }
    }

    /// Stores the user's decision.
    ///
    /// Neither an old file nor a file that another process is writing may restore revoked consent,
    /// because a marker file records the revocation immediately. If the disk has no space for
    /// the marker file either, the old file is deleted, which resets the consent to `unknown`. A
    /// decision that is written late does not override a newer decision of another process.
    func setConsent(_ consent: ReportConsent) {
        let (earlier, mark) = (state, UUID().uuidString)
        if consent == .revoked { revocation.create() }
        update { $0.setConsent(consent, mark: mark, basedOn: earlier) }
        guard consent != .given else { return }
        if !revocation.exists, case .state(let state) = stored(), state.consent == .given,
            !revocation.create()
        {
            _ = try? SystemFile.remove(path)
        }
    }

    private enum Stored {
        case state(ReporterState)
        case none
        case damaged
        case unavailable
    }

    private func stored() -> Stored {
        switch SystemFile.content(of: path, limit: Self.fileLimit) {
        case .whole(let data):
            guard let state = try? ReportFormat.decode(ReporterState.self, data) else {
                return .damaged
            }
            return .state(state)
        case .missing: return .none
        case .unavailable, .foreign: return .unavailable
        case .unusable: return .damaged
        }
    }

    /// Returns the state to change.
    ///
    /// Call only under the lock. A damaged file is moved aside.
    private func writableState() throws(SystemError) -> ReporterState {
        switch stored() {
        case .state(let state): return state
        case .none: return ReporterState()
        case .damaged:
            try SystemFile.rename(path, to: "\(path).damaged")
            return ReporterState()
        case .unavailable: throw SystemError("open")
        }
    }

    private func write(_ state: ReporterState) throws(SystemError) {
        guard let data = try? ReportFormat.encode(state) else { return }
        try AtomicFile(path: path, isLocked: true).replace(with: data)
    }

    private func enqueue<Result>(_ body: @escaping @Sendable (inout ReporterState) -> Result) {
        pending.withLock { pending in
            pending.changes.append { state in _ = body(&state) }
            if pending.changes.count > Self.pendingLimit {
                pending.changes.removeFirst()
                pending.removedCount += 1
            }
        }
    }

    /// Removes the changes that have been written.
    private func removeWritten(_ count: Int, since removedCount: Int) {
        guard count > 0 else { return }
        pending.withLock { pending in
            let rest = max(0, count - (pending.removedCount - removedCount))
            pending.changes.removeFirst(min(rest, pending.changes.count))
            pending.removedCount += rest
        }
    }
}
