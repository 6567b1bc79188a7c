// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Tidings

/// Does the work of a report folder on a queue of its own, in order.
final class ReportSpool: Sendable {
    struct Losses: Sendable {
        var lost = 0
        var removed = 0
        var lastFailure: DiagnosticsError?
        fileprivate var waiting = 0
        fileprivate var lastNumber = 0
    }

    /// How many reports may wait for the disk; a further one is lost and counted.
    static let waitingLimit = 64

    private let folder: ReportFolder
    private let queue = DispatchQueue(label: "tidings.diagnostics.reports", qos: .utility)
    private let state = Lock(Losses())

    init(folder: ReportFolder) throws(DiagnosticsError) {
        self.folder = folder
        do {
            try folder.create()
        } catch {
            throw DiagnosticsError(
                .folderUnusable,
                "The folder for reports, \(folder.path), cannot be used (\(error)). "
                    + "Make it writable or choose another one.",
                cause: error
            )
        }
    }

    var losses: Losses { state.withLock { $0 } }

    func write(_ report: Report) {
        let number = state.withLock { state -> Int? in
            guard state.waiting < Self.waitingLimit else {
                state.lost += 1
                state.lastFailure = .tooMany
                return nil
            }
            state.waiting += 1
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return }
        queue.async { [self] in
            do {
                try folder.write(ReportFormat.encode(report), named: name(of: report, number))
                let removed = folder.removeSurplus()
                state.withLock { $0.removed += removed }
            } catch {
                let failure = DiagnosticsError(
                    .notWritten,
                    "A report could not be written (\(error)). Free some space on the disk.",
                    cause: error
                )
                state.withLock { state in
                    state.lost += 1
                    state.lastFailure = failure
                }
            }
            state.withLock { $0.waiting -= 1 }
        }
    }

    func reports() async -> [Report] {
        await onQueue { folder in
            folder.names().reversed().compactMap { name in
                folder.read(name).flatMap { try? ReportFormat.decode($0) }
            }
        }
    }

    func deleteAll() async throws(DiagnosticsError) {
        let failure = await onQueue { $0.removeAll() }
        guard let failure else { return }
        throw DiagnosticsError(
            .folderUnusable,
            "Not all reports could be deleted (\(failure)). Make their folder writable.",
            cause: failure
        )
    }

    func flush() async {
        await onQueue { _ in }
    }

    private func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable (ReportFolder) -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { [folder] in continuation.resume(returning: body(folder)) }
        }
    }

    /// Sorts by age, and within a millisecond by the order of recording.
    private func name(of report: Report, _ number: Int) -> String {
        let seconds = report.date.timeIntervalSince1970
        let milliseconds = seconds.isFinite ? Int(min(max(0, seconds), 1e10) * 1_000) : 0
        return "\(padded(milliseconds, 14))-\(padded(number, 8))-\(report.id.prefix(8))"
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
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
