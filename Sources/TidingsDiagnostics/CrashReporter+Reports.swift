// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tidings

extension CrashReporter {
    /// Whether the user allows reports to be sent.
    ///
    /// It is stored with the reports and holds from the moment it is set: a delivery that is under
    /// way ends when it is taken back. Setting it waits for the disk.
    public var consent: ReportConsent {
        get { store.state.consent }
        set {
            guard let courier else { return store.setConsent(newValue) }
            courier.setConsent(newValue)
        }
    }

    /// Returns the reports that were not sent, the newest first, those of earlier runs included.
    ///
    /// Everything recorded before the call is among them. A file that is not a whole report is
    /// left out.
    public func unsentReports() async -> [Report] {
        await reportsAreMade()
        return await spool.reports()
    }

    /// Sends what was not sent now, and not when the time has come; nothing without consent.
    ///
    /// Returns at once. See ``flush(timeout:)`` to wait for it. A pause that the server has asked
    /// for is kept.
    public func sendUnsent() {
        courier?.sendNow()
    }

    /// Deletes everything that was recorded before the call and not sent.
    ///
    /// Reports go, what runs that have ended left, and of this run the errors, the breadcrumbs and
    /// the text of the standard error: a crash right afterwards is reported without them. Keys and
    /// the user stay, as they are settings of the program: set them to nil to forget them. What
    /// other processes hold that still run is theirs; a report that they are just writing may go, and
    /// is counted there.
    ///
    /// - Throws: ``DiagnosticsError`` when files are left; the others are gone.
    public func deleteUnsent() async throws(DiagnosticsError) {
        await onQueue { $0.forgetRecords() }
        guard let courier else {
            store.update { $0.forgetUntold() }
            return try await spool.deleteAll()
        }
        try await courier.deleteUnsent()
    }

    /// Deletes one report; it is not sent any more, and what is being sent begins anew.
    ///
    /// - Parameter id: Its identifier.
    /// - Returns: Whether it was there.
    /// - Throws: ``DiagnosticsError`` when its file cannot be deleted.
    @discardableResult
    public func deleteUnsent(_ id: Report.ID) async throws(DiagnosticsError) -> Bool {
        await reportsAreMade()
        guard let courier else { return try await spool.remove(id) }
        return try await courier.deleteUnsent(id)
    }

    /// Returns when everything recorded before the call has its report, and with consent has been
    /// sent; or when the time is over.
    ///
    /// What takes longer, be it a report, the disk or the server, goes on afterwards.
    ///
    /// - Parameter timeout: How long to wait at most.
    /// - Returns: Whether nothing is left to send.
    @discardableResult
    public func flush(timeout: Duration = .seconds(2)) async -> Bool {
        await TimedWait.value(within: timeout, sleep) { [self] in
            await reportsAreMade()
            await spool.flush()
            return await courier?.flush(timeout: timeout) ?? true
        } ?? false
    }

    /// Ends recording: this run has ended well.
    ///
    /// Waits as ``flush(timeout:)`` does. Signals are given back, centers are not followed any
    /// more, and what is recorded later is not kept. What is being sent when the time is nearly
    /// over is called off; it is sent by the next run, and reports that were not made are made
    /// there.
    ///
    /// - Parameter timeout: How long to wait at most, for all of it.
    public func close(timeout: Duration = .seconds(2)) async {
        let centers = followed.withLock { followed in
            defer { followed.centers = [] }
            return followed.centers
        }
        for center in centers { center.token.cancel() }
        // A part is left for the sink, so that it can return when it is called off.
        let reserve = min(timeout / 10, .milliseconds(200))
        await TimedWait<Void>.value(within: timeout, sleep) { [self] in
            await flush(timeout: timeout - reserve)
            end()
            await courier?.close()
        }
        end()
    }

    /// Again it changes nothing.
    private func end() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        capture?.stop()
        run?.end()
        courier?.stop()
        // What takes so long is done by the next run.
        let reading = reading.withLock { reading in
            defer { reading = nil }
            return reading
        }
        reading?.forgiveAttempt()
    }

    /// Makes the reports of a run that has ended; on the queue alone.
    func makeReports(of run: EndedRun) {
        reading.withLock { $0 = run.folder }
        endedRuns.make(of: run)
        let done = reading.withLock { reading in
            defer { reading = nil }
            return reading
        }
        withExtendedLifetime(done) {}
    }

    /// Forgets what has no report yet; on the queue alone.
    private func forgetRecords() {
        run?.forgetRecords(at: configuration.now())
        capture?.forgetText()
        // Released outside the lock.
        let gone = scope.withLock { $0.forgetBreadcrumbs() }
        withExtendedLifetime(gone) {}
        while true {
            let ended = RunFolder.takeEnded(in: configuration.directory, except: run?.ownFolder)
            // One that cannot be deleted would come again.
            guard !ended.isEmpty, !ended.map({ endedRuns.forget(EndedRun($0)) }).contains(false)
            else { return }
        }
    }

    /// Runs of other processes may have ended since the start.
    private func reportOthersThatEnded() {
        for folder in RunFolder.takeEnded(in: configuration.directory, except: run?.ownFolder) {
            makeReports(of: EndedRun(folder))
        }
    }

    /// Returns when everything recorded before the call has its report.
    private func reportsAreMade() async {
        await onQueue { reporter in
            reporter.makeReports()
            reporter.reportOthersThatEnded()
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
