// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tidings
import TidingsLock

extension CrashReporter {
    /// Whether the user allows reports to be sent.
    ///
    /// The value is stored with the reports and takes effect immediately. Revoking consent cancels
    /// a delivery in progress. Setting the value waits for the disk.
    public var consent: ReportConsent {
        get { store.state.consent }
        set {
            guard let sender else { return store.setConsent(newValue) }
            sender.setConsent(newValue)
        }
    }

    /// Returns all unsent reports, newest first, including reports of earlier runs.
    ///
    /// The result includes everything recorded before the call. Files that do not contain a
    /// complete report are skipped.
    public func unsentReports() async -> [Report] {
        await makePendingReports()
        return await spool.reports()
    }

    /// Sends all unsent reports now instead of at the next scheduled attempt.
    ///
    /// Without consent, the call has no effect.
    ///
    /// The call returns immediately. To wait, use ``flush(timeout:)``. A pause requested by the
    /// server still applies.
    public func sendUnsent() {
        sender?.sendNow()
    }

    /// Adds a user's comment to a report.
    ///
    /// The comment can be, for example, the answer to the question what happened before a crash.
    ///
    /// The comment is redacted, stored with the reports, and sent with the next delivery, even if
    /// the report was sent before. The comment replaces an unsent comment on the same report. Of
    /// more than 20 unsent comments, the oldest are dropped. The call waits for the disk.
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
    /// The call deletes all reports and comments, all records of ended runs, and the errors,
    /// breadcrumbs and standard-error text of this run. The report of a crash right afterwards does
    /// not contain any of these. Keys and the user remain, because both are settings of the
    /// program. To remove a key or the user, set the value to nil. The records of other running
    /// processes remain. A report that another process is writing at this moment may be deleted,
    /// and that process then counts the loss.
    ///
    /// - Throws: ``DiagnosticsError`` if some files could not be deleted. All other files are
    ///   deleted.
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
    /// the report.
    ///
    /// - Parameter id: The identifier of the report.
    /// - Returns: Whether the report existed.
    /// - Throws: ``DiagnosticsError`` if the file of the report cannot be deleted.
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
    /// The call returns early when the timeout expires. Assembling, writing and sending then
    /// continue in the background.
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
    /// The call waits like ``flush(timeout:)``. Afterwards the signal handlers are restored,
    /// centers are no longer followed, and later records are dropped. A delivery that is still
    /// running shortly before the timeout is canceled. The next run then sends that delivery and
    /// assembles the remaining reports.
    ///
    /// - Parameter timeout: The maximum time for the whole call.
    public func close(timeout: Duration = .seconds(2)) async {
        let centers = followed.withLock { followed in
            defer { followed.centers = [] }
            return followed.centers
        }
        for center in centers { center.token.cancel() }
        // The reserve leaves some time for the sink to return after the cancellation.
        let reserve = min(timeout / 10, .milliseconds(200))
        await TimedWait<Void>.value(within: timeout, sleep) { [self] in
            await flush(timeout: timeout - reserve)
            end()
            await sender?.close()
        }
        end()
    }

    /// Ends recording, with no effect in further calls.
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
    /// Call only on `queue`.
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

    /// Discards all records without a report.
    ///
    /// Call only on `queue`.
    private func discardRecords() {
        run?.discardRecords(at: configuration.now())
        capture?.discardText()
        // The breadcrumbs are released outside the lock.
        let gone = scope.withLock { scope in
            defer { scope.breadcrumbs = BreadcrumbRing() }
            return scope.breadcrumbs
        }
        withExtendedLifetime(gone) {}
        while true {
            let ended = RunFolder.acquireEnded(in: configuration.directory, except: run?.ownFolder)
            // The search would again return a run that cannot be deleted.
            guard !ended.isEmpty,
                !ended.map({ endedRunReporter.discard(EndedRun($0)) }).contains(false)
            else { return }
        }
    }

    /// Assembles the reports of other processes' runs that ended after this run started.
    private func makeReportsOfOtherEndedRuns() {
        // One of these runs may have ended the starts.
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
