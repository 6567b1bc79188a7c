// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineModel
import Tidings
import TidingsDiagnostics

/// `offline reports`: shows, sends or deletes the reports of this machine.
struct ReportsCommand: Command {
    /// The work of a form.
    enum Action {
        case list, show, send, delete, consent
    }

    static var forms: [CommandForm] {
        Form("reports", Self(), help: "Lists the errors and crashes on this machine.")
            .json(into: \.json)
        Form("reports show", Self(action: .show), help: "Shows one report.")
            .details("With --json, includes the content to send.")
            .argument(.report, into: \.id)
            .json(into: \.json)
        Form("reports send", Self(action: .send), help: "Sends the reports, with your consent.")
        Form("reports delete", Self(action: .delete), help: "Deletes one report, or all reports.")
            .argument(.report, into: \.id)
            .options([
                .flag("--all", into: \.concernsAll, replacesArguments: true): "delete all reports"
            ])
        Form("reports consent", Self(action: .consent), help: "Allows or forbids sending.")
            .details("Without consent nothing is sent.")
            .argument(.choice("given|revoked", of: [.given, .revoked]), into: \.consent)
    }

    var action = Action.list
    var id = ""
    var concernsAll = false
    var consent = ReportConsent.revoked
    var json = false

    var showsPreviousCrash: Bool { false }

    func run(in environment: Environment) async throws -> ExitStatus {
        let reports = try await service(environment)
        switch action {
        case .list:
            let overview = try await reports.call(API.reports.list)
            json ? try Self.print(json: overview) : Terminal.print(ReportText.list(overview))
        case .show:
            let whole = try await Self.match(id, in: reports)
            let report = try await reports.call(API.reports.report, whole)
            json ? try Self.print(json: report) : Terminal.print(ReportText.whole(report))
        case .send:
            let begin = Date()
            let overview = try await reports.call(API.reports.send)
            Terminal.print(ReportText.sent(overview, since: begin))
            return ReportText.failure(of: overview, since: begin) == nil && overview.reports.isEmpty
                ? .success : .failure
        case .delete where concernsAll:
            try await reports.call(API.reports.removeAll)
            Terminal.print("The reports are deleted.")
        case .delete:
            let whole = try await Self.match(id, in: reports)
            try await reports.call(API.reports.remove, whole)
            Terminal.print("The report is deleted.")
        case .consent:
            let overview = try await reports.call(API.reports.setConsent, .init(consent: consent))
            Terminal.print(ReportText.sending(overview))
        }
        return .success
    }

    /// Returns the running server, or else the local reports.
    ///
    /// A server notifies open pages of changes.
    private func service(
        _ environment: Environment
    ) async throws -> Connection<any ReportRecorder> {
        if let server = await LibraryAccess.runningServer(of: environment.directory) {
            return .server(server)
        }
        return .here(try environment.requireReports())
    }

    /// Returns the identifier that starts with `beginning`, or nil unless exactly one report
    /// matches.
    static func match(_ beginning: String, in overview: ReportsOverview) -> String? {
        let found = overview.reports.map(\.id).filter { $0.hasPrefix(beginning.lowercased()) }
        return found.count == 1 ? found.first : nil
    }

    private static func match(
        _ beginning: String,
        in reports: Connection<any ReportRecorder>
    ) async throws -> String {
        guard let id = match(beginning, in: try await reports.call(API.reports.list)) else {
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

extension ValueKind<String> {
    fileprivate static var report: ValueKind {
        .text("ID", missing: "The report's ID is missing. `offline reports` lists the IDs.")
    }
}
