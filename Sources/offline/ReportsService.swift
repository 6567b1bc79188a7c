// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsDiagnostics
import TidingsHTTP

/// What the commands need of the reports, whether a server runs or not.
protocol ReportsService: Sendable {
    func overview() async throws -> ReportsOverview
    /// All of one report; nil when there is none.
    func report(_ id: String) async throws -> ReportRepresentation?
    func setConsent(_ consent: ReportConsent) async throws
    /// Sends what may be sent, and waits some seconds for it.
    func send() async throws
    /// Returns whether it was there.
    func delete(_ id: String) async throws -> Bool
    func deleteAll() async throws
}

extension LibraryReports: ReportsService {}

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
