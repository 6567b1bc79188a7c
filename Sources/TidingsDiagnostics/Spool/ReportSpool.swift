// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Tidings
import TidingsFiles
import TidingsLock

/// Performs the work of a ``ReportFolder`` on a serial queue.
///
/// No error reaches the recording code, because losses are counted and passed to `onLoss`.
final class ReportSpool: Sendable {
    struct Losses: Sendable {
        var lost = 0
        var removed = 0
        var lastFailure: DiagnosticsError?
        fileprivate var waiting = 0
        fileprivate var lastNumber = 0
        /// Reports that found the queue full and were not passed to `onLoss` yet.
        fileprivate var unreported = 0
        /// Files to skip, because they can be neither read nor moved or belong to another user.
        fileprivate var stuck: Set<ReportName> = []
    }

    /// The maximum number of reports that wait for the disk, beyond which reports are lost and
    /// counted.
    static let waitingLimit = 64

    let folder: ReportFolder
    private let queue = DispatchQueue(label: "tidings.diagnostics.reports", qos: .utility)
    private let state = Lock(Losses())
    private let now: @Sendable () -> Date
    let onLoss: @Sendable (ReportLoss) -> Void

    /// Creates a spool, and also the folder if missing.
    ///
    /// The closure `now` measures the age of reports. `onLoss` is called with each number of lost
    /// reports, on the spool's queue or by `add`.
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
                "The report folder \(folder.root) cannot be used (\(error)). "
                    + "Make it writable or choose another one.",
                cause: error
            )
        }
    }

    /// The losses since the start.
    var losses: Losses { state.withLock { $0 } }

    /// Enqueues a report for writing.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - isKept: Called on the spool's queue with whether the report is stored. A full queue
    ///     prevents the call.
    func write(_ report: Report, then isKept: (@Sendable (Bool) -> Void)? = nil) {
        write(then: isKept) { report }
    }

    /// Enqueues a report to assemble on the spool's queue.
    ///
    /// - Parameters:
    ///   - isKept: Called on the spool's queue with whether the report is stored, or with true for
    ///     nil. A full queue prevents the call.
    ///   - report: Assembles the report on the spool's queue. A result of nil writes nothing.
    /// - Returns: False if the queue is full, which counts as a loss.
    @discardableResult
    func write(
        then isKept: (@Sendable (Bool) -> Void)? = nil,
        making report: @escaping @Sendable () -> Report?
    ) -> Bool {
        let isTaken = state.withLock { state in
            guard state.waiting < Self.waitingLimit else {
                state.lost += 1
                state.unreported += 1
                state.lastFailure = .tooMany
                return false
            }
            state.waiting += 1
            return true
        }
        guard isTaken else { return false }
        queue.async { [self] in
            let wasKept = report().map { keep($0) } ?? true
            let unreported = state.withLock { state in
                defer { state.unreported = 0 }
                state.waiting -= 1
                return state.unreported
            }
            lose(.queueFull, unreported)
            isKept?(wasKept)
        }
        return true
    }

    /// Writes a report on the calling thread, unless the report is already stored.
    ///
    /// - Parameter report: The report.
    /// - Returns: Whether the report is stored. False means that the report is lost and counted.
    @discardableResult
    func add(_ report: Report) -> Bool {
        folder.names().contains { $0.matches(report.id) } || keep(report)
    }

    /// Runs `body` after all earlier work of the queue.
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
        case EPERM, EACCES: "Change the owner of \(folder.path) to the user who runs the program"
        case ENOENT: "It was deleted while it was being written"
        default: "Free some space on the disk"
        }
    }

    /// Enforces the limits and counts the deleted reports.
    func removeSurplus() {
        let removed = folder.removeSurplus(at: now())
        state.withLock { $0.removed += removed }
        lose(.spoolFull, removed)
    }

    /// Returns a report, or nil if the report is missing or in quarantine because of its contents.
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

    /// The names of the readable reports, oldest first.
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
            .notWritten,
            "Errors were recorded faster than the disk could store them, and some were "
                + "dropped. Lower the sample rate."
        )
    }
}
