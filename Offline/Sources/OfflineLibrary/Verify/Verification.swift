// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// The verification of a library's files, of which one runs at a time.
package final class Verification: Sendable {
    struct State {
        var report = VerificationReport()
        /// The last results, so that another verification hides none from its caller.
        var results: [VerificationReport] = []
        var isStopping = false
        var task: Task<Void, Never>?

        /// Begins with these items; returns false while another verification runs.
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

        /// Counts an item; nil for one that has changed in the meantime.
        mutating func note(_ result: FileVerification.Result?) {
            report.checked += 1
            switch result {
            case .intact: report.intact += 1
            case .recorded: report.recorded += 1
            case .problems(let problems): report.problems += problems
            case nil: break
            }
        }

        /// Lets the verification of a number end; nil for any.
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

    /// The number of results that are kept.
    private static let resultCount = 16

    private let state = Lock(State())

    /// The progress of the verification, or the result of the last one.
    package var report: VerificationReport { state.withLock(\.report) }

    /// Returns the progress or the result of a verification; nil for an unknown or old one.
    package func report(of run: Int) -> VerificationReport? {
        state.withLock { state in
            state.report.run == run ? state.report : state.results.last { $0.run == run }
        }
    }

    /// Lets the verification end after the bytes that are being read.
    ///
    /// - Parameter run: The number of the verification, so that no other one ends; nil for any.
    package func stop(_ run: Int? = nil) {
        state.withLock { $0.stop(run) }
    }

    /// Stops the verification and returns after its end.
    func finish() async {
        stop()
        await end()
    }

    /// Returns after the end of the verification.
    func end() async {
        await state.withLock(\.task)?.value
    }

    /// Begins to verify items, in order, at a low priority.
    ///
    /// - Returns: Whether it began; false while another verification runs.
    func start(_ items: [MediaItem], with verify: FileVerification) -> Bool {
        guard state.withLock({ $0.begin(items) }) else { return false }
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            // Not before it is recorded, so that no end is missed.
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
                // A file that was not read to its end is not counted.
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
    /// Begins to verify the files of items; `verification.report(of:)` has the progress.
    ///
    /// No file is changed. The checksum of a file that has none is recorded, so that the next
    /// verification can find damage.
    ///
    /// - Parameters:
    ///   - ids: The items; empty for all finished ones.
    ///   - acceptsSubtitles: Whether changed and missing subtitles are recorded as they are now,
    ///     because the person has changed them.
    /// - Returns: The report at the begin.
    /// - Throws: `LibraryError` with `.notFound`, and `.verifying` if a verification runs.
    package func verify(
        _ ids: Set<ItemID>,
        acceptsSubtitles: Bool = false
    ) throws(LibraryError) -> VerificationReport {
        var items: [MediaItem] = []
        if ids.isEmpty {
            do {
                let query = ItemQuery(
                    states: [.ready, .missing, .unverified],
                    count: Int(Int32.max)
                )
                items = try journal.registry.page(query).items.reversed()
            } catch {
                throw LibraryError(error)
            }
        }
        for id in ids.sorted(by: { $0.rawValue < $1.rawValue }) { items.append(try item(id)) }
        let file = FileVerification(
            directory: directory,
            registry: journal.registry,
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
