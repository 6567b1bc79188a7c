// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import OfflineLibrary
@testable import OfflineServer

@Suite(.timeLimit(.minutes(5)))
struct RouterReportsTests {
    private func list(_ fixture: TestServer) async throws -> [ReportSummary] {
        let answer = try await fixture.ask("GET", "/api/reports")
        return try JSONCoding.decode(ReportsOverview.self, from: answer.body).reports
    }

    private func report(_ fixture: TestServer, _ id: String) async throws -> ReportRepresentation {
        let answer = try await fixture.ask("GET", "/api/reports/\(id)")
        return try JSONCoding.decode(ReportRepresentation.self, from: answer.body)
    }

    private func fail(_ fixture: TestServer, _ code: DownloadError.Code) throws {
        let item = try fixture.addReady(title: "film", bytes: [1])
        let error = DownloadError(code, "It did not work.")
        fixture.library.messages.post(DownloadFailed(item: item, error: error))
    }

    static let codes: [(DownloadError.Code, String)] = [
        (.status, "download"), (.connection, "download"), (.invalidPlaylist, "parse"),
        (.refused, "parse"), (.mux, "mux"), (.verify, "mux"), (.database, "database"),
    ]

    @Test(arguments: codes)
    func aFailureIsRecordedUnderItsFamily(_ code: DownloadError.Code, _ kind: String) async throws {
        try await TestServer.run { fixture in
            try fail(fixture, code)
            let summary = try #require(try await list(fixture).first)
            #expect(summary.kind == kind)
            #expect(summary.message.contains("It did not work."))
            let report = try await report(fixture, summary.id)
            #expect(report.summary == summary)
            #expect(report.breadcrumbs.contains { $0.text.contains("DownloadQueued") })
            #expect(report.breadcrumbs.allSatisfy { $0.secondsBefore >= 0 })
            #expect(report.outgoing.contains("It did not work."))
        }
    }

    @Test func promise14_noQueryOfAnAddressStandsInAReport() async throws {
        try await TestServer.run { fixture in
            let body = #"{"url":"https://media.example/a.m3u8?key=hunter2"}"#
            _ = try await fixture.ask("POST", "/api/downloads", body: body)
            let item = try #require(fixture.library.journal.items.lastData?.first)
            let error = DownloadError(.status, "Not found.")
            fixture.library.messages.post(DownloadFailed(item: item, error: error))
            let id = try #require(try await list(fixture).first).id
            let text = try await fixture.ask("GET", "/api/reports/\(id)").text
            #expect(text.contains("https://media.example/a.m3u8"))
            #expect(!text.contains("hunter2"))
            #expect(!(try await fixture.ask("GET", "/api/reports").text.contains("hunter2")))
        }
    }

    @Test func reportsCanBeDeleted() async throws {
        try await TestServer.run { fixture in
            try fail(fixture, .status)
            #expect(try await list(fixture).count == 1)
            let answer = try await fixture.ask("DELETE", "/api/reports")
            let overview = try JSONCoding.decode(ReportsOverview.self, from: answer.body)
            #expect(overview.reports.isEmpty)
            #expect(try await list(fixture).isEmpty)
        }
    }

    @Test func aTestReportIsARecordedOne() async throws {
        try await TestServer.run { fixture in
            let answer = try await fixture.ask("POST", "/api/reports/test", body: "{}")
            #expect(answer.status == 201)
            let id = try JSONCoding.decode(TestReportJSON.self, from: answer.body).id
            let report = try await report(fixture, id)
            #expect(report.summary.kind == "test")
            #expect(report.summary.level == "info")
        }
    }

    @Test func aReportThatIsNotThereIsNotFound() async throws {
        try await TestServer.run { fixture in
            let answer = try await fixture.ask("GET", "/api/reports/%3Cscript%3E")
            #expect(answer.status == 404)
            #expect(answer.text.contains("sent or deleted"))
        }
    }

    @Test(
        "promise 15: who has no token reads and changes no report",
        arguments: [
            ("GET", "/api/reports"), ("GET", "/api/reports/x"), ("DELETE", "/api/reports"),
            ("POST", "/api/reports/test"),
        ]
    )
    func isGuarded(_ method: String, _ path: String) async throws {
        try await TestServer.run { fixture in
            try fail(fixture, .status)
            let lines = [
                "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(fixture.client.port)",
                "Content-Type: application/json", "Content-Length: 2",
            ]
            #expect(try await fixture.client.ask(lines, body: [0x7B, 0x7D]).status == 403)
            #expect(try await list(fixture).count == 1)
        }
    }
}
