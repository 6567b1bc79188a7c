// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
import OfflineMedia
package import OfflineModel
import OfflineStore
import Tidings
import TidingsLock

/// The verification of a library's files.
///
/// Only one verification runs at a time.
package final class Verification: Sendable {
    struct State {
        var report = VerificationReport()
        /// The last results, so that a new verification does not hide the result of an earlier one.
        var results: [VerificationReport] = []
        var isStopping = false
        var task: Task<Void, Never>?

        /// Starts with these items.
        ///
        /// Returns false while another verification runs.
        mutating func begin(_ items: [MediaItem]) -> Bool {
            guard !report.isRunning else { return false }
            let run = report.run + 1
            report = VerificationReport()
            report.run = run
            report.isRunning = true
            report.total = items.count
            report.totalBytes = items.reduce(0) { sum, item in
                let (next, isTooLarge) = sum.addingReportingOverflow(item.size ?? 0)
                return isTooLarge ? .max : next
            }
            isStopping = false
            return true
        }

        /// Counts an item.
        ///
        /// The result is nil for an item that has changed in the meantime.
        mutating func note(_ result: FileVerification.Result?) {
            report.checked += 1
            switch result {
            case .intact: report.intact += 1
            case .recorded: report.recorded += 1
            case .problems(let problems): report.problems += problems
            case nil: break
            }
        }

        /// Requests the end of the verification with this number, or of any verification for nil.
        mutating func stop(_ run: Int?) {
            if run == nil || run == report.run { isStopping = true }
        }

        mutating func end() {
            report.isRunning = false
            report.isStopped = isStopping && report.checked < report.total
            results = results.suffix(Verification.resultCount - 1) + [report]
            task = nil
        }
    }

    /// The number of results to keep.
    private static let resultCount = 16

    private let state = Lock(State())

    /// The progress of the running verification, or the result of the last verification.
    package var report: VerificationReport { state.withLock(\.report) }

    /// Returns the progress or result of a verification, or nil for an unknown or old verification.
    package func report(of run: Int) -> VerificationReport? {
        state.withLock { state in
            state.report.run == run ? state.report : state.results.last { $0.run == run }
        }
    }

    /// Ends the verification after the bytes that are being read.
    ///
    /// - Parameter run: The number of the only verification to end, or nil for any verification.
    package func stop(_ run: Int? = nil) {
        state.withLock { $0.stop(run) }
    }

    /// Stops the verification and waits for its end.
    func finish() async {
        stop()
        await end()
    }

    /// Waits for the end of the verification.
    func end() async {
        await state.withLock(\.task)?.value
    }

    /// Starts to verify items, in order, at a low priority.
    ///
    /// - Returns: Whether the verification started. The result is false while another one runs.
    func start(_ items: [MediaItem], with verify: FileVerification) -> Bool {
        guard state.withLock({ $0.begin(items) }) else { return false }
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            // The work starts only after the task is recorded, so that `end` never misses the task.
            for await _ in begins {}
            await run(items, verify)
        }
        state.withLock { $0.task = task }
        begin.finish()
        return true
    }

    private func run(_ items: [MediaItem], _ verify: FileVerification) async {
        for item in items {
            do {
                let result = try await performBlocking {
                    try verify.result(of: item) { try self.count($0) }
                }
                state.withLock { $0.note(result) }
            } catch is CancellationError {
                // A file that was not read completely is not counted.
                break
            } catch {
                let problem = VerificationReport.Problem(item, .unreadable, "\(error)")
                state.withLock { $0.note(.problems([problem])) }
            }
            if state.withLock(\.isStopping) { break }
        }
        state.withLock { $0.end() }
    }

    private func count(_ bytes: Int) throws {
        let isStopping = state.withLock { state in
            state.report.bytes += Int64(bytes)
            return state.isStopping
        }
        if isStopping { throw CancellationError() }
    }
}

extension Library {
    /// Starts to verify the files of items.
    ///
    /// `verification.report(of:)` returns the progress.
    ///
    /// The verification changes no file. For a file without a checksum, the current checksum is
    /// recorded, so that the next verification can find damage.
    ///
    /// - Parameters:
    ///   - ids: The items, or an empty set for all finished items.
    ///   - acceptsSubtitles: Whether changed and missing subtitles are recorded as they are now,
    ///     because the user has made these changes.
    /// - Returns: The report at the start.
    /// - Throws: `LibraryError` with `.notFound`, and `.verifying` if a verification runs.
    package func verify(
        _ ids: Set<ItemID>,
        acceptsSubtitles: Bool = false
    ) throws(LibraryError) -> VerificationReport {
        var items: [MediaItem] = []
        if ids.isEmpty {
            let query = ItemQuery(states: [.ready, .missing, .unverified], count: Int(Int32.max))
            items = try LibraryError.rethrowing { try journal.items.page(query).items.reversed() }
        }
        for id in ids.sorted(by: { $0.rawValue < $1.rawValue }) { items.append(try item(id)) }
        let file = FileVerification(
            directory: directory,
            journal: journal,
            acceptsSubtitles: acceptsSubtitles
        )
        guard verification.start(items, with: file) else {
            throw LibraryError(
                .verifying,
                "A verification is running. Wait for its end, or stop it with Ctrl-C or "
                    + "DELETE /api/verify."
            )
        }
        return verification.report
    }
}
