// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tidings

extension CrashReporter {
    /// Records an error.
    ///
    /// Looks at the error, the breadcrumbs and the calls that led here; what it has seen outlives
    /// the process when this returns. The report is made later, in order, on a queue of its own.
    /// Never throws and never waits for the disk: a report that cannot be kept is counted.
    ///
    /// - Parameters:
    ///   - error: The error. See ``ReportableError`` for what is reported of it.
    ///   - context: What else is known.
    ///   - level: How bad it is.
    ///   - grouping: What a server is to group by, instead of by its own rules.
    /// - Returns: The identifier of the report; nil when nothing is recorded.
    @discardableResult
    @inline(never)
    public func record(
        _ error: any Error,
        context: [String: ReportValue] = [:],
        level: ReportLevel = .error,
        grouping: [String] = []
    ) -> Report.ID? {
        guard let run, isRecording, isKept() else { return nil }
        let id = UUID()
        let (scope, breadcrumbs) = scope.withLock { ($0.record, $0.breadcrumbs) }
        let event = EventRecord(
            id: id,
            date: configuration.now(),
            level: level,
            errors: scribe.errors(ReportedError.chain(error)),
            context: kept(context),
            grouping: grouping.prefix(Self.groupingLimit).map { scribe.text($0) },
            frames: run.calls.frames(),
            user: nil,
            values: LocalScope.values[ObjectIdentifier(self)] ?? [:],
            lastBreadcrumb: run.file.lastBreadcrumb
        )
        let moment = CurrentRun.Moment(scope: scope, breadcrumbs: breadcrumbs)
        guard run.keep(event, at: moment) else { return nil }
        if !isWoken.exchange(true, ordering: .acquiringAndReleasing) {
            queue.async { [self] in makeReports() }
        }
        return id.uuidString.lowercased()
    }

    private static var groupingLimit: Int { 8 }

    /// Whether chance keeps an error.
    private func isKept() -> Bool {
        guard configuration.sampleRate < 1 else { return true }
        if Double.random(in: 0..<1) < configuration.sampleRate { return true }
        sampled.add(1, ordering: .relaxed)
        untoldSamples.add(1, ordering: .relaxed)
        return false
    }

    /// Makes the reports of what waits; on the queue alone.
    func makeReports() {
        guard let run else { return }
        isWoken.store(false, ordering: .sequentiallyConsistent)
        countSamples()
        // What is left when the run has ended belongs to the next one.
        while !isClosed.load(ordering: .sequentiallyConsistent),
            let (ticket, event, moment) = run.first()
        {
            if let event {
                spool.add(report(of: event, moment, run))
            }
            run.finish(ticket)
        }
        courier?.wake()
    }

    private func countSamples() {
        let quantity = untoldSamples.exchange(0, ordering: .relaxed)
        guard quantity > 0 else { return }
        store.update { state in
            state.count(ReportLoss(reason: .sampled, category: .error, quantity: quantity))
        }
    }

    private func report(
        of event: EventRecord,
        _ moment: CurrentRun.Moment?,
        _ run: CurrentRun
    ) -> Report {
        events.report(
            event,
            run: run.facts,
            scope: moment?.scope ?? ScopeRecord(user: nil, values: [:]),
            breadcrumbs: moment?.breadcrumbs ?? run.file.breadcrumbs(until: event.lastBreadcrumb),
            images: events.symbolicator.map { run.images(for: event.frames, $0) }
        )
    }
}
