// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Synchronization
import TidingsLock

extension CrashReporter {
    /// Records an error.
    ///
    /// The record contains the error, the breadcrumbs and the call stack. The record survives the
    /// end of the process once this method returns. A serial queue assembles the report later, in
    /// recording order. This method never throws and never waits for the disk. Errors that cannot
    /// be kept are counted in ``state``.
    ///
    /// - Parameters:
    ///   - error: The error. See ``ReportableError`` for the contents of the report.
    ///   - context: Additional values for this report.
    ///   - tags: Values to search by, which extend or override the keys for this report.
    ///   - attachments: Files by name for this report, at most four of at most 16 KiB each. See
    ///     ``Report/attachments``.
    ///   - level: The severity.
    ///   - grouping: The key that a server groups by. An empty key stands for the types and codes
    ///     of the errors and the file in their ``ReportedError/location``, or without a location
    ///     for the server's own rules.
    /// - Returns: The identifier of the report, or nil if the error is not recorded.
    @discardableResult
    @inline(never)
    public func record(
        _ error: any Error,
        context: [String: ReportValue] = [:],
        tags: [String: ReportValue] = [:],
        attachments: [String: Data] = [:],
        level: ReportLevel = .error,
        grouping: [String] = []
    ) -> Report.ID? {
        guard let run, isRecording, passesSampling() else { return nil }
        let id = UUID()
        let (scope, breadcrumbs) = scope.withLock { ($0.record, $0.breadcrumbs) }
        let event = EventRecord(
            id: id,
            date: configuration.now(),
            level: level,
            errors: writer.errors(ReportedError.chain(error)),
            context: recordable(context),
            grouping: grouping.prefix(Self.groupingLimit).map { writer.text($0) },
            frames: run.calls.frames(),
            user: nil,
            values: localValues(adding: tags),
            lastBreadcrumb: run.file.lastBreadcrumb,
            attachments: attachments.isEmpty
                ? [:] : writer.attachments(attachments, keepsBinaries: true)
        )
        let snapshot = CurrentRun.Snapshot(scope: scope, breadcrumbs: breadcrumbs)
        guard run.keep(event, with: snapshot) else { return nil }
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) {
            queue.async { [self] in makeReports() }
        }
        return id.uuidString.lowercased()
    }

    private func localValues(adding tags: [String: ReportValue]) -> [String: ReportValue] {
        let own = LocalScope.values[ObjectIdentifier(self)] ?? [:]
        return tags.isEmpty ? own : own.merging(recordable(tags)) { _, tag in tag }
    }

    private static var groupingLimit: Int { 8 }

    /// Whether an error passes the sampling.
    private func passesSampling() -> Bool {
        guard configuration.sampleRate < 1 else { return true }
        if Double.random(in: 0..<1) < configuration.sampleRate { return true }
        sampled.add(1, ordering: .relaxed)
        uncountedSamples.add(1, ordering: .relaxed)
        return false
    }

    /// Assembles the reports of the pending events.
    ///
    /// Call only on `queue`.
    func makeReports() {
        guard let run else { return }
        isScheduled.store(false, ordering: .sequentiallyConsistent)
        countSamples()
        // Any events left at the end of this run are reported by the next run.
        while !isClosed.load(ordering: .sequentiallyConsistent),
            let (pendingEvent, event, snapshot) = run.first()
        {
            if let event {
                spool.add(report(of: event, snapshot, run))
            }
            run.finish(pendingEvent)
        }
        sender?.wake()
    }

    private func countSamples() {
        let quantity = uncountedSamples.exchange(0, ordering: .relaxed)
        guard quantity > 0 else { return }
        store.update { state in
            state.count(ReportLoss(reason: .sampled, category: .error, quantity: quantity))
        }
    }

    private func report(
        of event: EventRecord,
        _ snapshot: CurrentRun.Snapshot?,
        _ run: CurrentRun
    ) -> Report {
        eventBuilder.report(
            event,
            run: run.metadata,
            scope: snapshot?.scope ?? ScopeRecord(user: nil, values: [:]),
            breadcrumbs: snapshot?.breadcrumbs.inOrder
                ?? run.file.breadcrumbs(until: event.lastBreadcrumb),
            images: eventBuilder.symbolicator.map { run.images(for: event.frames, $0) }
        )
    }
}
