// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsDiagnostics

// What a person can see of the reports, and do with them.
extension LibraryReports {
    /// Returns the reports, the newest first.
    package func all() async -> [Report] {
        await reporter.unsentReports()
    }

    /// Returns the list, and what becomes of it.
    package func overview() async -> ReportsOverview {
        let reports = await all()
        return ReportsOverview(
            reports: reports.map { ReportSummary($0) },
            consent: "unknown",
            destination: nil,
            isRecording: true,
            catchesCrashes: false,
            problems: [],
            previousRun: ReportsOverview.PreviousRun(end: "unknown", report: nil)
        )
    }

    /// Returns all of one report; nil when there is none.
    package func report(_ id: Report.ID) async -> ReportRepresentation? {
        guard let report = await all().first(where: { $0.id == id }) else { return nil }
        return ReportRepresentation(report, outgoing: Self.outgoing(report))
    }

    /// Records a report that says that nothing has failed.
    ///
    /// - Returns: Its identifier; nil when nothing is recorded.
    package func recordTest() -> Report.ID? {
        let id = reporter.recordTest()
        tellChange()
        return id
    }

    /// Deletes what was recorded before the call.
    package func deleteAll() async throws(DiagnosticsError) {
        try await reporter.deleteUnsent()
        tellChange()
    }

    private static func outgoing(_ report: Report) -> String {
        let data = (try? JSONFormat.encode(report, pretty: true)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
