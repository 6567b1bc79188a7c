// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

/// `offline reports`: shows what has failed on this machine, and does with it as the person says.
struct ReportsCommand {
    let action: Arguments.Reports
    let surroundings: Surroundings

    func run() async throws -> ExitStatus {
        let reports = try await service()
        switch action {
        case .list(let json):
            let overview = try await reports.overview()
            json ? try Self.print(json: overview) : Terminal.print(ReportText.list(overview))
        case .show(let id, let json):
            guard let whole = Self.match(id, in: try await reports.overview()),
                let report = try await reports.report(whole)
            else { throw Self.noReport(id) }
            json ? try Self.print(json: report) : Terminal.print(ReportText.whole(report))
        case .deleteAll:
            try await reports.deleteAll()
            Terminal.print("The reports are deleted.")
        }
        return .success
    }

    /// The server, where one runs: it tells its pages of what is changed.
    private func service() async throws -> any ReportsService {
        if let server = await LibraryAccess.runningServer(of: surroundings.directory) {
            return server
        }
        return try surroundings.requireReports()
    }

    /// Returns the identifier that begins like this, if exactly one does.
    static func match(_ beginning: String, in overview: ReportsOverview) -> String? {
        let found = overview.reports.map(\.id).filter { $0.hasPrefix(beginning.lowercased()) }
        return found.count == 1 ? found.first : nil
    }

    private static func noReport(_ id: String) -> LibraryError {
        LibraryError(
            .notFound,
            "No report, or more than one, begins with “\(id)”; `offline reports` shows them."
        )
    }

    private static func print(json value: some Encodable) throws {
        let data = try JSONFormat.encode(value, pretty: true)
        Terminal.print(String(decoding: data, as: UTF8.self))
    }
}
