// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Assembles the reports of ended runs and deletes their folders.
///
/// A run whose records repeatedly end the process is finally read without symbols and then moved to
/// the quarantine. One interrupted attempt proves nothing, because short programs end while their
/// reporter is still working.
struct EndedRunReporter: Sendable {
    private static let attemptLimit = 3

    let crashBuilder: CrashReportBuilder
    let eventBuilder: EventReportBuilder
    let spool: ReportSpool
    let store: ReporterStore

    /// Assembles the reports of one run.
    ///
    /// If the spool has no space, the run stays for the next start, because its own disk space is
    /// already reserved.
    func makeReports(of run: EndedRun) {
        let attempt = run.folder.beginAttempt()
        guard let metadata = run.metadata, attempt <= Self.attemptLimit else { return giveUp(run) }
        let maker = attempt < Self.attemptLimit ? self : withoutSymbols
        let reports =
            maker.crashReports(of: run, metadata) + maker.eventReports(of: run, metadata)
            + maker.unnoticedReports(of: run, metadata)
        // Stores all reports: after one that does not fit, the next one may still fit.
        guard !reports.map({ spool.add($0) }).contains(false) else {
            run.folder.resetAttempts()
            return run.folder.release()
        }
        for path in run.crashes.unreadable { spool.folder.quarantine.add(path) }
        recordEnd(run, metadata)
        run.folder.remove()
    }

    /// Deletes the records of a run unread; counts the run and how it ended.
    ///
    /// - Returns: Whether the run is deleted.
    func discard(_ run: EndedRun) -> Bool {
        if let metadata = run.metadata { recordEnd(run, metadata) }
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

    /// Moves the captures of the signal handler to the quarantine, if there are any.
    private func giveUp(_ run: EndedRun) {
        let paths = run.crashes.crashes.map { run.folder.capturePaths[$0.number] }
        for path in paths + run.crashes.unreadable { spool.folder.quarantine.add(path) }
        let lost = paths.count + (run.record?.events.count ?? 0)
        store.update { state in
            state.count(ReportLoss(reason: .unreadable, category: .error, quantity: lost))
        }
        if let metadata = run.metadata { recordEnd(run, metadata) }
        run.folder.remove()
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
            return crashBuilder.report(
                crash.capture,
                known: images,
                isRecovered: crash.isRecovered,
                metadata: known
            )
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
            state.countEnd(status, of: metadata.release, begun: metadata.started)
            state.count(ReportLoss(reason: .queueFull, category: .error, quantity: lost))
            state.add(
                ReportedSession(
                    id: metadata.session,
                    // Sessions do not pass through `beforeSend`, so they contain no user.
                    user: nil,
                    isFirst: false,
                    sequence: 1,
                    status: status,
                    started: metadata.started,
                    date: ended,
                    errors: errors,
                    release: metadata.release,
                    environment: metadata.environment
                )
            )
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
