// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsDiagnostics
import TidingsHTTP

/// What the commands need of the reports, whether a server runs or not.
protocol ReportsService: Sendable {
    func overview() async throws -> ReportsOverview
    /// All of one report; nil when there is none.
    func report(_ id: String) async throws -> ReportRepresentation?
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

    func deleteAll() async throws {
        let _: ReportsOverview = try await call(.delete, "/api/reports")
    }
}
