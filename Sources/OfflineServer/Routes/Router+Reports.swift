// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import TidingsDiagnostics

/// A recorded error as the API shows it.
struct ReportJSON: Codable, Sendable {
    struct Crumb: Codable, Sendable {
        var date: Date
        var text: String
    }

    var id: String
    var date: Date
    /// `download`, `parse`, `mux` or `database`.
    var kind: String
    var message: String
    /// What else is known, and the values that were set.
    var context: [String: String]
    /// What happened before, the oldest first.
    var breadcrumbs: [Crumb]

    init(_ report: Report) {
        id = report.id
        date = report.date
        kind = report.context[FailureKind.key]?.description ?? report.level.rawValue
        message = report.errors.first?.message ?? ""
        context = report.values.merging(report.context) { _, own in own }
            .filter { $0.key != FailureKind.key }
            .mapValues(\.description)
        // An error often says what its cause said.
        let causes = report.errors.dropFirst().map(\.message).filter {
            $0 != report.errors[0].message
        }
        for (number, cause) in causes.enumerated() {
            context["cause\(number == 0 ? "" : " \(number + 1)")"] = cause
        }
        breadcrumbs = report.breadcrumbs.map { Crumb(date: $0.date, text: $0.text) }
    }
}

struct ReportListJSON: Codable, Sendable {
    var reports: [ReportJSON]
}

extension Router {
    func listReports() async -> ServerResponse {
        .json(ReportListJSON(reports: await reports.all().map { ReportJSON($0) }))
    }

    func deleteReports() async throws -> ServerResponse {
        try await reports.deleteAll()
        return await listReports()
    }
}
