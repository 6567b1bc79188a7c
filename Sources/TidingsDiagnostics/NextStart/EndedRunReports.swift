// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Makes reports of what runs have left that ended, and deletes what they left.
///
/// What ends the process again and again while it is read is read without symbols at last, and then
/// put aside; once is not enough, as short programs end while their reporter is still at work.
struct EndedRunReports: Sendable {
    private static let attemptLimit = 3

    let crashes: CrashAssembly
    let events: EventAssembly
    let spool: ReportSpool
    let store: ReporterStore

    /// Makes the reports of one run.
    ///
    /// What the spool has no room for stays where it is, for the next start: its space is the
    /// run's own.
    func make(of run: EndedRun) {
        let attempt = run.folder.beginAttempt()
        guard let facts = run.facts, attempt <= Self.attemptLimit else { return giveUp(run) }
        let maker = attempt < Self.attemptLimit ? self : withoutSymbols
        let reports = maker.crashReports(of: run, facts) + maker.eventReports(of: run, facts)
        // Not lazily: one that has no room says nothing of the next one.
        guard !reports.map({ spool.add($0) }).contains(false) else {
            run.folder.forgetAttempts()
            return run.folder.release()
        }
        for path in run.crashes.unreadable { spool.folder.quarantine.take(path) }
        note(run, facts)
        run.folder.remove()
    }

    /// Deletes what a run has left unread; that it was, and how it ended, is counted.
    ///
    /// - Returns: Whether it is gone.
    func forget(_ run: EndedRun) -> Bool {
        if let facts = run.facts { note(run, facts) }
        return run.folder.remove()
    }

    private var withoutSymbols: EndedRunReports {
        EndedRunReports(
            crashes: CrashAssembly(symbolicator: nil, scribe: crashes.scribe),
            events: EventAssembly(symbolicator: nil, scribe: events.scribe),
            spool: spool,
            store: store
        )
    }

    /// Puts what the signal handler wrote aside, if it wrote anything.
    private func giveUp(_ run: EndedRun) {
        let paths = run.crashes.crashes.map { run.folder.capturePaths[$0.number] }
        for path in paths + run.crashes.unreadable { spool.folder.quarantine.take(path) }
        let lost = paths.count + (run.record?.events.count ?? 0)
        store.update { state in
            state.count(ReportLoss(reason: .unreadable, category: .error, quantity: lost))
        }
        if let facts = run.facts { note(run, facts) }
        run.folder.remove()
    }

    private func crashReports(of run: EndedRun, _ facts: RunFacts) -> [Report] {
        let (scope, images) = (run.scope, run.images)
        return run.crashes.crashes.map { crash in
            let known = CrashFacts(
                id: CrashFacts.identifier(run: facts.session, number: crash.number),
                application: facts.application,
                release: facts.release,
                environment: facts.environment,
                user: scope.user,
                values: scope.values,
                breadcrumbs: run.record?.breadcrumbs(until: .max) ?? [],
                session: facts.session,
                machine: facts.machine,
                started: facts.started
            )
            return crashes.report(
                crash.capture,
                known: images,
                isRecovered: crash.isRecovered,
                facts: known
            )
        }
    }

    /// Of what was recorded shortly before the end, and has no report yet.
    private func eventReports(of run: EndedRun, _ facts: RunFacts) -> [Report] {
        guard let record = run.record else { return [] }
        let (scope, images) = (run.scope, run.images)
        return record.events.compactMap { EventRecord($0) }.map { event in
            events.report(
                event,
                run: facts,
                scope: scope,
                breadcrumbs: record.breadcrumbs(until: event.lastBreadcrumb),
                images: images
            )
        }
    }

    /// Counts how the run ended, here and for the server.
    private func note(_ run: EndedRun, _ facts: RunFacts) {
        let status = run.end.status
        let ended = run.ended ?? facts.started
        let errors = run.crashes.crashes.count + (run.record?.events.count ?? 0)
        let lost = run.record?.lostEvents ?? 0
        store.update { state in
            state.countEnd(status, of: facts.release, begun: facts.started)
            state.count(ReportLoss(reason: .queueFull, category: .error, quantity: lost))
            state.note(
                ReportedSession(
                    id: facts.session,
                    // Sessions do not pass `beforeSend`, so they say nothing of a person.
                    user: nil,
                    isFirst: false,
                    sequence: 1,
                    status: status,
                    started: facts.started,
                    date: ended,
                    errors: errors,
                    release: facts.release,
                    environment: facts.environment
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
