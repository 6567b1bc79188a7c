// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Tidings

/// Does the work of a report folder on a queue of its own, in order.
///
/// Nothing here throws into who records: what is not kept is counted, and told to `onLoss`.
final class ReportSpool: Sendable {
    struct Losses: Sendable {
        var lost = 0
        var removed = 0
        var lastFailure: DiagnosticsError?
        fileprivate var waiting = 0
        fileprivate var lastNumber = 0
        /// Reports that did not get onto the queue and were not told of yet.
        fileprivate var untold = 0
        /// What can be neither read nor moved, or belongs to others; it is passed over.
        fileprivate var stuck: Set<ReportName> = []
    }

    /// How many reports may wait for the disk; a further one is lost and counted.
    static let waitingLimit = 64

    let folder: ReportFolder
    private let queue = DispatchQueue(label: "tidings.diagnostics.reports", qos: .utility)
    private let state = Lock(Losses())
    private let now: @Sendable () -> Date
    let onLoss: @Sendable (ReportLoss) -> Void

    /// Makes the folder when it is not there.
    ///
    /// Reports grow old by `now`. `onLoss` is called on the spool's queue, or by `add`, with each
    /// number of reports that are lost.
    init(
        folder: ReportFolder,
        now: @escaping @Sendable () -> Date = { Date() },
        onLoss: @escaping @Sendable (ReportLoss) -> Void = { _ in }
    ) throws(DiagnosticsError) {
        self.folder = folder
        self.now = now
        self.onLoss = onLoss
        do {
            try folder.create()
        } catch {
            throw DiagnosticsError(
                .folderUnusable,
                "The folder for reports, \(folder.root), cannot be used (\(error)). "
                    + "Make it writable or choose another one.",
                cause: error
            )
        }
    }

    /// What could not be kept since the start.
    var losses: Losses { state.withLock { $0 } }

    /// Writes a report, later and in order.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - isKept: Called on the spool's queue with whether the report lies in the folder; not
    ///     called when too many wait.
    func write(_ report: Report, then isKept: (@Sendable (Bool) -> Void)? = nil) {
        write(then: isKept) { report }
    }

    /// Makes and writes a report, later and in order; nil is nothing to write.
    ///
    /// - Parameters:
    ///   - isKept: As for a report that is there already; true for nil.
    ///   - report: Makes the report, on the spool's queue.
    /// - Returns: Whether it was taken; false and counted when too many wait.
    @discardableResult
    func write(
        then isKept: (@Sendable (Bool) -> Void)? = nil,
        making report: @escaping @Sendable () -> Report?
    ) -> Bool {
        let isTaken = state.withLock { state in
            guard state.waiting < Self.waitingLimit else {
                state.lost += 1
                state.untold += 1
                state.lastFailure = .tooMany
                return false
            }
            state.waiting += 1
            return true
        }
        guard isTaken else { return false }
        queue.async { [self] in
            let wasKept = report().map { keep($0) } ?? true
            let untold = state.withLock { state in
                defer { state.untold = 0 }
                state.waiting -= 1
                return state.untold
            }
            lose(.queueFull, untold)
            isKept?(wasKept)
        }
        return true
    }

    /// Writes a report now, on the caller's thread; one that is there already is not written again.
    ///
    /// - Parameter report: The report.
    /// - Returns: Whether the report lies in the folder; false and counted when it does not.
    @discardableResult
    func add(_ report: Report) -> Bool {
        folder.names().contains { $0.isSurely(report.id) } || keep(report)
    }

    /// Runs `body` after everything that was recorded before.
    func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable (ReportSpool) -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: body(self)) }
        }
    }

    private func keep(_ report: Report) -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        do {
            try folder.write(ReportFormat.encode(report), named: ReportName(report, number: number))
        } catch {
            let failure = DiagnosticsError(
                .notWritten,
                "A report could not be written (\(error)). \(remedy(for: error)).",
                cause: error
            )
            state.withLock { state in
                state.lost += 1
                state.lastFailure = failure
            }
            lose(.diskFailed, 1)
            return false
        }
        removeSurplus()
        return true
    }

    private func remedy(for error: any Error) -> String {
        switch (error as? SystemError)?.number {
        case EPERM, EACCES: "Make \(folder.path) a folder of the user who runs the program"
        case ENOENT: "It was deleted while it was written"
        default: "Free some space on the disk"
        }
    }

    /// Keeps the limits, and counts what goes.
    func removeSurplus() {
        let removed = folder.removeSurplus(at: now())
        state.withLock { $0.removed += removed }
        lose(.spoolFull, removed)
    }

    /// The report of a name; nil when it is not there or could not be read and was put aside.
    func read(_ name: ReportName) -> Report? {
        guard state.withLock({ !$0.stuck.contains(name) }) else { return nil }
        switch folder.read(name) {
        case .report(let report): return report
        case .none: return nil
        case .foreign:
            state.withLock { _ = $0.stuck.insert(name) }
            return nil
        case .damaged(let isAway):
            state.withLock { state in
                state.lost += 1
                if !isAway { state.stuck.insert(name) }
            }
            lose(.unreadable, 1)
            return nil
        }
    }

    /// The names of the reports that can be read, the oldest first.
    func names() -> [ReportName] {
        let stuck = state.withLock { $0.stuck }
        return folder.names().filter { !stuck.contains($0) }
    }

    private func lose(_ reason: ReportLoss.Reason, _ quantity: Int) {
        guard quantity > 0 else { return }
        onLoss(ReportLoss(reason: reason, category: .error, quantity: quantity))
    }
}

extension DiagnosticsError {
    fileprivate static var tooMany: DiagnosticsError {
        DiagnosticsError(
            .tooMany,
            "Errors were recorded faster than the disk took them; some were dropped."
        )
    }
}
