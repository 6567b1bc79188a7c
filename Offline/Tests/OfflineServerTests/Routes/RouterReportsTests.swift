// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsDiagnostics
import TidingsTesting

@testable import OfflineAPI
@testable import OfflineApp
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

// The tests run one after another, because each report reads the debug information of all tests.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct RouterReportsTests {
    private func list(_ fixture: TestServer) async throws -> [ReportSummary] {
        let response = try await fixture.send("GET", "/api/reports")
        return try JSONCoding.decode(ReportsOverview.self, from: response.body).reports
    }

    private func overview(_ response: RawClient.Response) throws -> ReportsOverview {
        try JSONCoding.decode(ReportsOverview.self, from: response.body)
    }

    private static let errors = ReportingSettings(capture: .errorsOnly)

    private static func sending(to sink: any ReportSink) -> ReportingSettings {
        var settings = ReportingSettings(capture: .errorsOnly)
        settings.sink = sink
        settings.destination = "https://errors.example/7"
        return settings
    }

    private func report(_ fixture: TestServer, _ id: String) async throws -> ReportRepresentation {
        let response = try await fixture.send("GET", "/api/reports/\(id)")
        return try JSONCoding.decode(ReportRepresentation.self, from: response.body)
    }

    private func fail(_ fixture: TestServer, _ code: DownloadError.Code) throws {
        let item = try fixture.addReady(title: "film", bytes: [1])
        let error = DownloadError(code, "It did not work.")
        fixture.library.messages.post(DownloadFailed(item: item, error: error))
    }

    @Test func aFailureIsRecordedWithItsKind() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            try fail(fixture, .mux)
            let summary = try #require(try await list(fixture).first)
            #expect(summary.kind == "mux")
            #expect(summary.message.contains("It did not work."))
            let report = try await report(fixture, summary.id)
            #expect(report.summary == summary)
            #expect(report.breadcrumbs.contains { $0.text.contains("DownloadQueued") })
            #expect(report.breadcrumbs.allSatisfy { $0.secondsBefore >= 0 })
            #expect(report.outgoing.contains("It did not work."))
        }
    }

    @Test func o14_noQueryOfAnAddressStandsInAReport() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            let body = #"{"url":"https://media.example/a.m3u8?key=hunter2"}"#
            _ = try await fixture.send("POST", "/api/downloads", body: body)
            let item = try #require(try fixture.library.journal.items.items().first)
            let error = DownloadError(.status, "Not found.")
            fixture.library.messages.post(DownloadFailed(item: item, error: error))
            let id = try #require(try await list(fixture).first).id
            let text = try await fixture.send("GET", "/api/reports/\(id)").text
            #expect(text.contains("https://media.example/a.m3u8"))
            #expect(!text.contains("hunter2"))
            #expect(!(try await fixture.send("GET", "/api/reports").text.contains("hunter2")))
        }
    }

    @Test func aTestReportIsRecorded() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            let response = try await fixture.send("POST", "/api/reports/test", body: "{}")
            #expect(response.status == 201)
            let id = try JSONCoding.decode(TestReportJSON.self, from: response.body).id
            let report = try await report(fixture, id)
            #expect(report.summary.kind == "test")
            #expect(report.summary.level == "info")
        }
    }

    @Test func oneReportOrAllCanBeDeleted() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            try fail(fixture, .status)
            try fail(fixture, .mux)
            let all = try await list(fixture)
            let response = try await fixture.send("DELETE", "/api/reports/\(all[0].id)")
            #expect(try overview(response).reports == [all[1]])
            #expect(try await fixture.send("DELETE", "/api/reports/\(all[0].id)").status == 404)
            let last = try await fixture.send("DELETE", "/api/reports")
            #expect(try overview(last).reports.isEmpty)
            #expect(try await list(fixture).isEmpty)
        }
    }

    @Test func r13_nothingIsSentBeforeThePersonAgreesAndAllAfter() async throws {
        let sink = InMemorySink()
        try await TestServer.run(reporting: Self.sending(to: sink)) { fixture in
            try fail(fixture, .status)
            let before = try overview(try await fixture.send("GET", "/api/reports"))
            #expect(before.consent == "unknown")
            #expect(before.destination == "https://errors.example/7")
            #expect(try await fixture.send("POST", "/api/reports/send", body: "{}").status == 409)
            #expect(sink.deliveries.isEmpty)
            let given = #"{"consent":"given"}"#
            let response = try await fixture.send("POST", "/api/reports/consent", body: given)
            #expect(try overview(response).consent == "given")
            let sent = try await fixture.send("POST", "/api/reports/send", body: "{}")
            #expect(try overview(sent).reports.isEmpty)
            #expect(sink.deliveries.compactMap(\.report).count == 1)
        }
    }

    @Test func aSentReportLeavesTheList() async throws {
        let sink = InMemorySink()
        try await TestServer.run(reporting: Self.sending(to: sink)) { fixture in
            let given = #"{"consent":"given"}"#
            _ = try await fixture.send("POST", "/api/reports/consent", body: given)
            let changes = MessageRecorder(ReportsChanged.self, on: fixture.library.messages)
            try fail(fixture, .status)
            // The changes are one for the new report and one for the sent report.
            _ = try await changes.next()
            _ = try await changes.next()
            #expect(try await list(fixture).isEmpty)
        }
    }

    @Test func withoutADestinationConsentIsRefused() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            let given = #"{"consent":"given"}"#
            let response = try await fixture.send("POST", "/api/reports/consent", body: given)
            #expect(response.status == 409)
            #expect(response.text.contains("--sentry DSN"))
            let revoked = #"{"consent":"revoked"}"#
            let refusal = try await fixture.send("POST", "/api/reports/consent", body: revoked)
            #expect(try overview(refusal).consent == "revoked")
            for body in [#"{"consent":"unknown"}"#, #"{"consent":"perhaps"}"#, "{}"] {
                #expect(
                    try await fixture.send("POST", "/api/reports/consent", body: body).status == 400
                )
            }
        }
    }

    @Test func theReasonForNotRecordingIsReported() async throws {
        try await TestServer.run(reporting: ReportingSettings(capture: .off)) { fixture in
            let shown = try overview(try await fixture.send("GET", "/api/reports"))
            #expect(!shown.isRecording)
            #expect(!shown.catchesCrashes)
            #expect(shown.problems.contains { $0.contains("OFFLINE_DIAGNOSTICS") })
            let response = try await fixture.send("POST", "/api/reports/test", body: "{}")
            #expect(response.status == 409)
            #expect(response.text.contains("OFFLINE_DIAGNOSTICS"))
        }
    }

    @Test func anUnknownReportIsNotFound() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            let response = try await fixture.send("GET", "/api/reports/%3Cscript%3E")
            #expect(response.status == 404)
            #expect(response.text.contains("sent or deleted"))
        }
    }

    @Test("O15: a request without a token reads and changes no report")
    func isGuarded() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            try fail(fixture, .status)
            for (method, path) in [
                ("GET", "/api/reports"), ("GET", "/api/reports/x"), ("DELETE", "/api/reports"),
                ("POST", "/api/reports/test"), ("DELETE", "/api/reports/x"),
                ("POST", "/api/reports/consent"), ("POST", "/api/reports/send"),
            ] {
                let lines = [
                    "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(fixture.client.port)",
                    "Content-Type: application/json", "Content-Length: 2",
                ]
                let response = try await fixture.client.send(lines, body: [0x7B, 0x7D])
                #expect(response.status == 403, "\(method) \(path)")
            }
            #expect(try await list(fixture).count == 1)
        }
    }
}
