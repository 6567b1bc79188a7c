// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Makes reports of what runs have left that ended, and deletes what they left.
///
/// What ends the process again and again while it is read is put aside; once is not enough, as
/// short programs end while their reporter is still at work.
struct EndedRunReports: Sendable {
    let crashes: CrashAssembly
    let events: EventAssembly
    let spool: ReportSpool
    let store: ReporterStore

    /// Makes the reports of one run.
    func make(of run: EndedRun) {
        guard let facts = run.facts, run.folder.beginAttempt() <= Self.attemptLimit else {
            return giveUp(run)
        }
        spoolCrashes(of: run, facts)
        spoolEvents(of: run, facts)
        note(run, facts)
        run.folder.remove()
    }

    private static var attemptLimit: Int { 3 }

    /// Puts what the signal handler wrote aside, if it wrote anything.
    private func giveUp(_ run: EndedRun) {
        let paths = run.crashes.crashes.map { run.folder.capturePaths[$0.number] }
        for path in paths + run.crashes.unreadable { spool.folder.quarantine.take(path) }
        run.folder.remove()
    }

    private func spoolCrashes(of run: EndedRun, _ facts: RunFacts) {
        let (scope, images) = (run.scope, run.images)
        for crash in run.crashes.crashes {
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
            let report = crashes.report(
                crash.capture,
                known: images,
                isRecovered: crash.isRecovered,
                facts: known
            )
            spool.add(report)
        }
        for path in run.crashes.unreadable { spool.folder.quarantine.take(path) }
    }

    /// What was recorded shortly before the end, and has no report yet.
    private func spoolEvents(of run: EndedRun, _ facts: RunFacts) {
        guard let record = run.record else { return }
        let (scope, images) = (run.scope, run.images)
        for event in record.events.compactMap({ EventRecord($0) }) {
            spool.add(
                events.report(
                    event,
                    run: facts,
                    scope: scope,
                    breadcrumbs: record.breadcrumbs(until: event.lastBreadcrumb),
                    images: images
                )
            )
        }
    }

    /// Counts how the run ended, here and for the server.
    private func note(_ run: EndedRun, _ facts: RunFacts) {
        let status = run.end.status
        let (ended, user) = (run.ended ?? facts.started, run.scope.user)
        let errors = run.crashes.crashes.count + (run.record?.events.count ?? 0)
        let lost = run.record?.lostEvents ?? 0
        store.update { state in
            state.countEnd(status, of: facts.release, begun: facts.started)
            state.count(ReportLoss(reason: .queueFull, category: .error, quantity: lost))
            state.note(
                ReportedSession(
                    id: facts.session,
                    user: user,
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
