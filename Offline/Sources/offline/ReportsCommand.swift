// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import OfflineServer
import Tidings

/// `offline reports`: shows, sends or deletes the reports of this machine.
struct ReportsCommand {
    let action: Arguments.Reports
    let environment: Environment

    func run() async throws -> ExitStatus {
        let reports = try await service()
        switch action {
        case .list(let json):
            let overview = try await reports.overview()
            json ? try Self.print(json: overview) : Terminal.print(ReportText.list(overview))
        case .show(let id, let json):
            let whole = try await Self.match(id, in: reports)
            guard let report = try await reports.report(whole) else { throw Self.noReport(id) }
            json ? try Self.print(json: report) : Terminal.print(ReportText.whole(report))
        case .send:
            let begin = Date()
            try await reports.send()
            let overview = try await reports.overview()
            Terminal.print(ReportText.sent(overview, since: begin))
            return ReportText.failure(of: overview, since: begin) == nil && overview.reports.isEmpty
                ? .success : .failure
        case .delete(let id):
            let whole = try await Self.match(id, in: reports)
            guard try await reports.delete(whole) else { throw Self.noReport(id) }
            Terminal.print("The report is deleted.")
        case .deleteAll:
            try await reports.deleteAll()
            Terminal.print("The reports are deleted.")
        case .consent(let consent):
            try await reports.setConsent(consent)
            Terminal.print(ReportText.sending(try await reports.overview()))
        }
        return .success
    }

    /// Returns the running server, which notifies its pages of changes, or else the local reports.
    private func service() async throws -> any ReportsService {
        if let server = await LibraryAccess.runningServer(of: environment.directory) {
            return server
        }
        return try environment.requireReports()
    }

    /// Returns the identifier with this beginning; nil unless exactly one report has it.
    static func match(_ beginning: String, in overview: ReportsOverview) -> String? {
        let found = overview.reports.map(\.id).filter { $0.hasPrefix(beginning.lowercased()) }
        return found.count == 1 ? found.first : nil
    }

    private static func match(
        _ beginning: String,
        in reports: any ReportsService
    ) async throws -> String {
        guard let id = match(beginning, in: try await reports.overview()) else {
            throw noReport(beginning)
        }
        return id
    }

    private static func noReport(_ id: String) -> LibraryError {
        LibraryError(
            .notFound,
            "“\(id)” matches no report or more than one. `offline reports` lists the IDs."
        )
    }

    private static func print(json value: some Encodable) throws {
        let data = try JSONFormat.encode(value, pretty: true)
        Terminal.print(String(decoding: data, as: UTF8.self))
    }
}
