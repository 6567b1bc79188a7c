// SPDX-License-Identifier: Apache-2.0
import Foundation

extension EndedRun {
    /// The number that distinguishes this report from the reports of a run's two captures.
    private static let number = 2

    /// Returns the report of a run that ended without notice.
    ///
    /// The report contains the last state of the run and the likely reason.
    func unnoticedReport(
        _ metadata: RunMetadata,
        now: MemoryCounters,
        bootID: String?,
        writer: RedactingWriter
    ) -> Report {
        let end = UnnoticedEnd(record?.end, of: metadata, bootID: bootID, counters: now)
        var report = Report(
            id: CrashMetadata.identifier(run: metadata.session, number: Self.number),
            date: ended ?? metadata.started,
            level: .fatal,
            application: metadata.application,
            release: metadata.release,
            environment: metadata.environment,
            user: scope.user,
            errors: [end.error],
            context: memoryValues(metadata.memory, now),
            values: scope.values,
            breadcrumbs: record?.breadcrumbs(until: .max) ?? []
        )
        report.context["standard_error"] = writer.newestLines(of: record?.text ?? [])
            .map { .text($0) }
        report.add(metadata)
        report.attachments = metadata.attachedFiles(writer)
        return report
    }

    /// Returns the memory that the control group has used, and the kills since the start of the
    /// run.
    private func memoryValues(
        _ start: MemoryCounters?,
        _ now: MemoryCounters
    ) -> [String: ReportValue] {
        guard let start else { return [:] }
        var values: [String: ReportValue] = [:]
        values["memory_peak"] = now.groupPeak.map { .integer($0) }
        values["oom_kill"] = now.kills(since: start).map { .integer($0.count) }
        return values
    }
}
