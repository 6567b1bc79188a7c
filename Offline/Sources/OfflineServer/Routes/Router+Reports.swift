// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsDiagnostics

/// The identifier of a new test report.
struct TestReportJSON: Codable, Sendable {
    var id: String
}

/// The request of `POST /api/reports/consent`: `given` or `revoked`.
struct ConsentJSON: Codable, Sendable {
    var consent: ReportConsent
}

extension Router {
    func listReports() async throws -> ServerResponse {
        .json(try await reports.overview())
    }

    func report(_ id: Substring) async throws -> ServerResponse {
        guard let report = try await reports.report(String(id)) else { return Self.noReport(id) }
        return .json(report)
    }

    func recordTestReport() -> ServerResponse {
        guard let id = reports.recordTest() else {
            return .failure(
                409,
                "notRecording",
                (["Reports are not recorded."] + reports.problems).joined(separator: " ")
            )
        }
        return .json(TestReportJSON(id: id), status: 201)
    }

    func setConsent(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(ConsentJSON.self, from: request.body)
        guard wanted.consent != .unknown else {
            throw ServerError(.badRequest, "Unknown answer. Use “given” or “revoked”.")
        }
        try await reports.setConsent(wanted.consent)
        return try await listReports()
    }

    func sendReports() async throws -> ServerResponse {
        try await reports.send()
        return try await listReports()
    }

    func deleteReport(_ id: Substring) async throws -> ServerResponse {
        guard try await reports.delete(String(id)) else { return Self.noReport(id) }
        return try await listReports()
    }

    func deleteReports() async throws -> ServerResponse {
        try await reports.deleteAll()
        return try await listReports()
    }

    private static func noReport(_ id: Substring) -> ServerResponse {
        .failure(
            404,
            "notFound",
            "There is no report “\(id.prefix(40))”: it was sent or deleted. Load the list again."
        )
    }
}
