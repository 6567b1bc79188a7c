// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsDiagnostics

/// The identifier of a report that was made for a person.
struct TestReportJSON: Codable, Sendable {
    var id: String
}

/// What `POST /api/reports/consent` takes: `given` or `revoked`.
struct ConsentJSON: Codable, Sendable {
    var consent: ReportConsent
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
            return .failure(
                409,
                "notRecording",
                (["Nothing is recorded."] + reports.problems).joined(separator: " ")
            )
        }
        return .json(TestReportJSON(id: id), status: 201)
    }

    func setConsent(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(ConsentJSON.self, from: request.body)
        guard wanted.consent != .unknown else {
            throw ServerError(.badRequest, "The answer is “given” or “revoked”.")
        }
        try reports.setConsent(wanted.consent)
        return await listReports()
    }

    func sendReports() async throws -> ServerResponse {
        try await reports.send()
        return await listReports()
    }

    func deleteReport(_ id: Substring) async throws -> ServerResponse {
        guard try await reports.delete(String(id)) else { return Self.noReport(id) }
        return await listReports()
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
