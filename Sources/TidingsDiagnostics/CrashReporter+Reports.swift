// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tidings
import TidingsLock

extension CrashReporter {
    /// Whether the user allows reports to be sent.
    ///
    /// The value is stored with the reports and takes effect at once: revoking it cancels a
    /// delivery in progress. Setting it waits for the disk.
    public var consent: ReportConsent {
        get { store.state.consent }
        set {
            guard let sender else { return store.setConsent(newValue) }
            sender.setConsent(newValue)
        }
    }

    /// Returns all unsent reports, newest first, including those of earlier runs.
    ///
    /// The result includes everything recorded before the call. Files that do not contain a
    /// complete report are skipped.
    public func unsentReports() async -> [Report] {
        await makePendingReports()
        return await spool.reports()
    }

    /// Sends all unsent reports now instead of at the next scheduled attempt; does nothing without
    /// consent.
    ///
    /// Returns immediately; use ``flush(timeout:)`` to wait. A pause requested by the server still
    /// applies.
    public func sendUnsent() {
        sender?.sendNow()
    }

    /// Adds a person's comment to a report, for example the answer to the question what happened
    /// before a crash.
    ///
    /// The comment is redacted, stored with the reports, and sent with the next delivery, even if
    /// the report was sent before. It replaces an unsent comment on the same report; of more than
    /// 20 unsent comments the oldest are dropped. Waits for the disk.
    ///
    /// ```swift
    /// if let crash = await reporter.unsentReports().first(where: { $0.crash != nil }) {
    ///     reporter.comment("I had opened the third film.", on: crash.id)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - text: The comment, of which 4,096 bytes are kept.
    ///   - id: The identifier of the report.
    public func comment(_ text: String, on id: Report.ID) {
        let text = writer.text(text, limit: ReportComment.textLimit)
        guard !text.isEmpty else { return }
        store.update { $0.add(ReportComment(report: id, text: text)) }
        sender?.wake()
    }

    /// Deletes everything that was recorded before the call and has not been sent.
    ///
    /// Deletes all reports and comments, all records of ended runs, and the errors, breadcrumbs and
    /// standard-error text of this run: a crash right afterwards is reported without them. Keys and
    /// the user remain, because they are settings of the program; set them to nil to remove them.
    /// The records of other running processes remain. A report that another process is writing at
    /// this moment may be deleted; that process counts the loss.
    ///
    /// - Throws: ``DiagnosticsError`` if some files could not be deleted; the others are gone.
    public func deleteUnsent() async throws(DiagnosticsError) {
        await onQueue { $0.discardRecords() }
        guard let sender else {
            store.update { $0.removeUnsent() }
            return try await spool.deleteAll()
        }
        try await sender.deleteUnsent()
    }

    /// Deletes one report.
    ///
    /// The report is not sent any more. A delivery in progress is canceled and starts again without
    /// it.
    ///
    /// - Parameter id: The identifier of the report.
    /// - Returns: Whether the report existed.
    /// - Throws: ``DiagnosticsError`` if its file cannot be deleted.
    @discardableResult
    public func deleteUnsent(_ id: Report.ID) async throws(DiagnosticsError) -> Bool {
        await makePendingReports()
        store.update { state in state.comments.removeAll { $0.report == id } }
        guard let sender else { return try await spool.remove(id) }
        return try await sender.deleteUnsent(id)
    }

    /// Waits until everything recorded before the call has a report and, with consent, has been
    /// sent.
    ///
    /// Returns early when the timeout expires; assembling, writing and sending continue in the
    /// background.
    ///
    /// - Parameter timeout: The maximum time to wait.
    /// - Returns: Whether nothing is left to send.
    @discardableResult
    public func flush(timeout: Duration = .seconds(2)) async -> Bool {
        await TimedWait.value(within: timeout, sleep) { [self] in
            await makePendingReports()
            await spool.flush()
            return await sender?.flush(timeout: timeout) ?? true
        } ?? false
    }

    /// Ends recording and marks this run as ended normally.
    ///
    /// Waits like ``flush(timeout:)``. Afterwards the signal handlers are restored, centers are no
    /// longer followed, and later records are dropped. A delivery that is still running shortly
    /// before the timeout is canceled; the next run sends it and assembles the remaining reports.
    ///
    /// - Parameter timeout: The maximum time for the whole call.
    public func close(timeout: Duration = .seconds(2)) async {
        let centers = followed.withLock { followed in
            defer { followed.centers = [] }
            return followed.centers
        }
        for center in centers { center.token.cancel() }
        // Leaves some time for the sink to return after its cancellation.
        let reserve = min(timeout / 10, .milliseconds(200))
        await TimedWait<Void>.value(within: timeout, sleep) { [self] in
            await flush(timeout: timeout - reserve)
            end()
            await sender?.close()
        }
        end()
    }

    /// Further calls have no effect.
    private func end() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        endWatches()
        capture?.stop()
        run?.end()
        sender?.stop()
        // The next run finishes reports that take too long.
        let reading = reading.withLock { reading in
            defer { reading = nil }
            return reading
        }
        reading?.end()
    }

    /// Assembles the reports of an ended run.
    ///
    /// Call on `queue` only.
    func makeReports(of folder: RunFolder, known: EndedRun? = nil) {
        let attempt = ReadingAttempt(folder, isWatched: capture?.isArmed ?? false)
        reading.withLock { $0 = attempt }
        endedRunReporter.makeReports(of: folder, known: known, attempt)
        attempt.end()
        let done = reading.withLock { reading in
            defer { reading = nil }
            return reading
        }
        withExtendedLifetime(done) {}
    }

    /// Discards everything that has no report yet.
    ///
    /// Call on `queue` only.
    private func discardRecords() {
        run?.discardRecords(at: configuration.now())
        capture?.discardText()
        // Released outside the lock.
        let gone = scope.withLock { scope in
            defer { scope.breadcrumbs = BreadcrumbRing() }
            return scope.breadcrumbs
        }
        withExtendedLifetime(gone) {}
        while true {
            let ended = RunFolder.acquireEnded(in: configuration.directory, except: run?.ownFolder)
            // A run that cannot be deleted would be returned again.
            guard !ended.isEmpty,
                !ended.map({ endedRunReporter.discard(EndedRun($0)) }).contains(false)
            else { return }
        }
    }

    /// Assembles the reports of other processes' runs that ended after the start.
    private func makeReportsOfOtherEndedRuns() {
        // One of them may have ended the starts.
        guard !followsFailedStarts else { return }
        for folder in RunFolder.acquireEnded(in: configuration.directory, except: run?.ownFolder) {
            makeReports(of: folder)
        }
    }

    /// Waits until everything recorded before the call has a report.
    private func makePendingReports() async {
        await onQueue { reporter in
            reporter.store.writePendingChanges()
            reporter.makeReports()
            reporter.makeReportsOfOtherEndedRuns()
        }
    }

    private func onQueue(_ body: @escaping @Sendable (CrashReporter) -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                body(self)
                continuation.resume()
            }
        }
    }
}
