// SPDX-License-Identifier: Apache-2.0
import OfflineServer
import TidingsDiagnostics
import TidingsHTTP

/// The reports of a running server.
extension RemoteLibrary: ReportsService {
    func overview() async throws -> ReportsOverview {
        try await call(.get, "/api/reports")
    }

    func report(_ id: String) async throws -> ReportRepresentation? {
        try await call(.get, "/api/reports/\(id)")
    }

    func setConsent(_ consent: ReportConsent) async throws {
        let body = ["consent": consent.rawValue]
        let _: ReportsOverview = try await call(.post, "/api/reports/consent", body)
    }

    func send() async throws {
        let _: ReportsOverview = try await call(.post, "/api/reports/send", [String: String]())
    }

    func delete(_ id: String) async throws -> Bool {
        let _: ReportsOverview = try await call(.delete, "/api/reports/\(id)")
        return true
    }

    func deleteAll() async throws {
        let _: ReportsOverview = try await call(.delete, "/api/reports")
    }
}
