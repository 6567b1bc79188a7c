// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Assembles the reports of ended runs and deletes the folders of these runs.
///
/// If reading the records of a run repeatedly ends the process, the run is finally read without
/// symbols and then moved to the quarantine, as described for ``ReadingAttempt``.
struct EndedRunReporter: Sendable {
    /// The number of failed attempts after which a run is no longer read.
    private static let attemptLimit = 3

    let crashBuilder: CrashReportBuilder
    let eventBuilder: EventReportBuilder
    let spool: ReportSpool
    let store: ReporterStore

    /// Returns the records of a run, or nil if reading them has ended several processes.
    static func read(_ folder: RunFolder, _ attempt: ReadingAttempt) -> EndedRun? {
        attempt.failedBefore < attemptLimit ? EndedRun(folder) : nil
    }

    /// Assembles the reports of one run.
    ///
    /// If the spool has no space, the run stays for the next start, because the disk space of the
    /// run is already reserved.
    ///
    /// - Parameters:
    ///   - folder: The folder of the run.
    ///   - known: The records if they were read before.
    ///   - attempt: The attempt to read this run.
    func makeReports(
        of folder: RunFolder,
        known: EndedRun? = nil,
        _ attempt: ReadingAttempt
    ) {
        guard let run = known ?? Self.read(folder, attempt) else { return giveUp(folder) }
        let maker = attempt.failedBefore < Self.attemptLimit - 1 ? self : withoutSymbols
        let metadata = run.metadata
        let reports =
            maker.crashReports(of: run, metadata) + maker.eventReports(of: run, metadata)
            + maker.unnoticedReports(of: run, metadata)
        // All reports are stored, because a smaller report may fit after a large report failed.
        guard !reports.map({ spool.add($0) }).contains(false) else { return folder.release() }
        for path in run.crashes.unreadable { spool.folder.quarantine.add(path) }
        recordEnd(run, metadata)
        folder.remove()
    }

    /// Deletes the records of a run without a report, and counts the run and the kind of its end.
    ///
    /// - Returns: Whether the run is deleted.
    func discard(_ run: EndedRun) -> Bool {
        recordEnd(run, run.metadata)
        return run.folder.remove()
    }

    private var withoutSymbols: EndedRunReporter {
        EndedRunReporter(
            crashBuilder: CrashReportBuilder(symbolicator: nil, writer: crashBuilder.writer),
            eventBuilder: EventReportBuilder(symbolicator: nil, writer: eventBuilder.writer),
            spool: spool,
            store: store
        )
    }

    /// Moves the signal handler's captures, if any, to the quarantine unread.
    private func giveUp(_ folder: RunFolder) {
        let paths = folder.capturePaths.filter { RunCrashes.isUsed($0) }
        for path in paths { spool.folder.quarantine.add(path) }
        let lost = ReportLoss(
            reason: .unreadable,
            category: .error,
            quantity: max(1, paths.count)
        )
        let metadata = folder.metadata()
        let status: ReportedSession.Status = paths.isEmpty ? .vanished : .crashed
        store.update { state in
            state.count(lost)
            state.recordEnd(
                status,
                of: metadata,
                at: metadata.started,
                errors: paths.count
            )
        }
        folder.remove()
    }

    private func crashReports(of run: EndedRun, _ metadata: RunMetadata) -> [Report] {
        let (scope, images) = (run.scope, run.images)
        return run.crashes.crashes.map { crash in
            let known = CrashMetadata(
                id: CrashMetadata.identifier(run: metadata.session, number: crash.number),
                application: metadata.application,
                release: metadata.release,
                environment: metadata.environment,
                user: scope.user,
                values: scope.values,
                breadcrumbs: run.record?.breadcrumbs(until: .max) ?? [],
                session: metadata.session,
                machine: metadata.machine,
                started: metadata.started
            )
            var report = crashBuilder.report(
                crash.capture,
                known: images,
                isRecovered: crash.isRecovered,
                metadata: known
            )
            report.add(metadata)
            report.attachments = metadata.attachedFiles(crashBuilder.writer)
            return report
        }
    }

    /// Returns the reports of events that were still pending at the end of the run.
    private func eventReports(of run: EndedRun, _ metadata: RunMetadata) -> [Report] {
        guard let record = run.record else { return [] }
        let (scope, images) = (run.scope, run.images)
        return record.events.compactMap { EventRecord($0) }.map { event in
            eventBuilder.report(
                event,
                run: metadata,
                scope: scope,
                breadcrumbs: record.breadcrumbs(until: event.lastBreadcrumb),
                images: images
            )
        }
    }

    /// Returns the report of a run that ended without notice.
    private func unnoticedReports(of run: EndedRun, _ metadata: RunMetadata) -> [Report] {
        guard run.end == .endedWithoutNotice else { return [] }
        let report = run.unnoticedReport(
            metadata,
            now: .current(like: metadata.memory),
            bootID: RunMetadata.currentBootID,
            writer: crashBuilder.writer
        )
        return [report]
    }

    /// Counts the end of the run locally and for the server.
    private func recordEnd(_ run: EndedRun, _ metadata: RunMetadata) {
        let status = run.end.status
        let ended = run.ended ?? metadata.started
        let errors = run.crashes.crashes.count + (run.record?.events.count ?? 0)
        let lost = run.record?.lostEvents ?? 0
        store.update { state in
            guard state.recordEnd(status, of: metadata, at: ended, errors: errors) else { return }
            state.count(ReportLoss(reason: .queueFull, category: .error, quantity: lost))
        }
    }
}

extension PreviousRun {
    fileprivate var status: ReportedSession.Status {
        switch self {
        case .clean, .terminated, .unknown: .ended
        case .crashed: .crashed
        case .endedWithoutNotice: .vanished
        }
    }
}
