// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The identifier of a report that was made for a person.
struct TestReportJSON: Codable, Sendable {
    var id: String
}

extension Router {
    func listReports() async -> ServerResponse {
        .json(await reports.overview())
    }

    func report(_ id: Substring) async -> ServerResponse {
        guard let report = await reports.report(String(id)) else { return Self.noReport(id) }
        return .json(report)
    }

    func recordTestReport() -> ServerResponse {
        guard let id = reports.recordTest() else {
            return .failure(409, "notRecording", "Nothing is recorded: diagnostics are off.")
        }
        return .json(TestReportJSON(id: id), status: 201)
    }

    func deleteReports() async throws -> ServerResponse {
        try await reports.deleteAll()
        return await listReports()
    }

    private static func noReport(_ id: Substring) -> ServerResponse {
        .failure(
            404,
            "notFound",
            "There is no report “\(id.prefix(40))”; it was sent or deleted."
        )
    }
}
