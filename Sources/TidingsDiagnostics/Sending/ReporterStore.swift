// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Keeps what the processes that share a folder know together, in one file.
///
/// Each change reads the newest state, writes a new file, waits for the disk and takes the old
/// file's place in one step, under a lock beside it. A file that is damaged is kept aside, and
/// all begins anew, without consent. A change that cannot be written holds in this process and is
/// written with the next one. A revocation needs neither the lock nor room in that file: a mark
/// beside it says so, until the user has allowed it again.
final class ReporterStore: Sendable {
    /// A change is made again when the first attempt could not be written.
    typealias Change = @Sendable (inout ReporterState) -> Void

    /// How long a change waits for other processes.
    static let lockLimit = Duration.seconds(2)
    private static let fileLimit = 1 << 20
    /// How many changes wait for a disk that takes nothing; the oldest go.
    private static let pendingLimit = 1_000

    private struct Unwritten {
        var changes: [Change] = []
        /// How many went from the front since the start.
        var gone = 0
    }

    let directory: String
    private let unwritten = Lock(Unwritten())

    /// Nothing is read or written yet.
    init(directory: String) {
        self.directory = directory
    }

    private var path: String { "\(directory)/state.json" }
    private var part: String { "\(path).part" }
    private var revocation: RevocationMark { RevocationMark(in: directory) }

    /// The newest state.
    var state: ReporterState {
        // First: who allows it again writes the state before that goes.
        let isRevoked = revocation.isMade
        var state = if case .state(let stored) = stored() { stored } else { ReporterState() }
        if isRevoked { state.consent = .revoked }
        for change in unwritten.withLock({ $0.changes }) { change(&state) }
        return state
    }

    /// Changes the state in one step and returns what `body` returned.
    ///
    /// The disk's failures are no failures of this. Blocks for the disk, and for other processes.
    ///
    /// - Parameters:
    ///   - limit: How long it waits for other processes.
    ///   - body: The change; it may run again later, with its result not looked at.
    /// - Returns: What the body returned.
    @discardableResult
    func update<Result>(
        within limit: Duration = lockLimit,
        _ body: @escaping @Sendable (inout ReporterState) -> Result
    ) -> Result {
        do {
            try? SystemFile.makeFolder(directory)
            let lock = try FileClaim.taken("\(directory)/state.lock", within: limit)
            defer { withExtendedLifetime(lock) {} }
            let (changes, gone) = unwritten.withLock { ($0.changes, $0.gone) }
            let base = try writableState()
            var state = base
            let isRevoked = revocation.isMade
            if isRevoked { state.consent = .revoked }
            for change in changes { change(&state) }
            let result = body(&state)
            if state != base {
                do throws(SystemError) {
                    try write(state)
                } catch {
                    remember(body)
                    return result
                }
            }
            // Only who knew of it, and was asked again.
            if isRevoked, state.consent != .revoked { revocation.remove() }
            forget(changes.count, since: gone)
            return result
        } catch {
            var state = state
            let result = body(&state)
            remember(body)
            return result
        }
    }

    /// Stores what the user allows.
    ///
    /// What is not allowed any more must not be allowed by an old file, nor by one that another
    /// process is about to write: a mark says that it is revoked, at once. Where there is no room
    /// for that either, the old file is deleted, and then nobody was asked. What another process
    /// was told meanwhile is not undone when this is written at last.
    func setConsent(_ consent: ReportConsent) {
        let (known, mark) = (state, UUID().uuidString)
        if consent == .revoked { revocation.make() }
        update { $0.say(consent, mark: mark, knowing: known) }
        guard consent != .given else { return }
        if !revocation.isMade, case .state(let state) = stored(), state.consent == .given,
            !revocation.make()
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

    /// The state to change, under the lock; what is damaged is moved out of the way.
    private func writableState() throws(SystemError) -> ReporterState {
        switch stored() {
        case .state(let state): return state
        case .none: return ReporterState()
        case .damaged:
            try SystemFile.rename(path, to: "\(path).damaged", in: directory)
            return ReporterState()
        case .unavailable: throw SystemError("open")
        }
    }

    private func write(_ state: ReporterState) throws(SystemError) {
        // What a killed process has left over; the lock says that nobody writes it now.
        try SystemFile.remove(part)
        do throws(SystemError) {
            guard let data = try? ReportFormat.encode(state) else { return }
            try SystemFile.write(data, to: part)
            try SystemFile.rename(part, to: path, in: directory)
        } catch {
            _ = try? SystemFile.remove(part)
            throw error
        }
    }

    private func remember<Result>(_ body: @escaping @Sendable (inout ReporterState) -> Result) {
        unwritten.withLock { unwritten in
            unwritten.changes.append { state in _ = body(&state) }
            if unwritten.changes.count > Self.pendingLimit {
                unwritten.changes.removeFirst()
                unwritten.gone += 1
            }
        }
    }

    /// Forgets what has been written.
    private func forget(_ count: Int, since gone: Int) {
        guard count > 0 else { return }
        unwritten.withLock { unwritten in
            let rest = max(0, count - (unwritten.gone - gone))
            unwritten.changes.removeFirst(min(rest, unwritten.changes.count))
            unwritten.gone += rest
        }
    }
}
