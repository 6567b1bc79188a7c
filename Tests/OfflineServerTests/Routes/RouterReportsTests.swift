// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsDiagnostics
import TidingsTesting

@testable import OfflineLibrary
@testable import OfflineServer

// Who makes a report reads the debug information of all tests: one after the other is fast enough.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RouterReportsTests {
    private func list(_ fixture: TestServer) async throws -> [ReportSummary] {
        let answer = try await fixture.ask("GET", "/api/reports")
        return try JSONCoding.decode(ReportsOverview.self, from: answer.body).reports
    }

    private func overview(_ answer: RawClient.Answer) throws -> ReportsOverview {
        try JSONCoding.decode(ReportsOverview.self, from: answer.body)
    }

    private static let errors = ReportingSettings(capture: .errorsOnly)

    private static func sending(to sink: any ReportSink) -> ReportingSettings {
        var settings = ReportingSettings(capture: .errorsOnly)
        settings.sink = sink
        settings.destination = "https://errors.example/7"
        return settings
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

    @Test func aFailureIsRecordedUnderItsFamily() async throws {
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

    @Test func promise14_noQueryOfAnAddressStandsInAReport() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
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

    @Test func aTestReportIsARecordedOne() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            let answer = try await fixture.ask("POST", "/api/reports/test", body: "{}")
            #expect(answer.status == 201)
            let id = try JSONCoding.decode(TestReportJSON.self, from: answer.body).id
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
            let answer = try await fixture.ask("DELETE", "/api/reports/\(all[0].id)")
            #expect(try overview(answer).reports == [all[1]])
            #expect(try await fixture.ask("DELETE", "/api/reports/\(all[0].id)").status == 404)
            let last = try await fixture.ask("DELETE", "/api/reports")
            #expect(try overview(last).reports.isEmpty)
            #expect(try await list(fixture).isEmpty)
        }
    }

    @Test func promise13_nothingIsSentBeforeThePersonAgreesAndAllAfter() async throws {
        let sink = InMemorySink()
        try await TestServer.run(reporting: Self.sending(to: sink)) { fixture in
            try fail(fixture, .status)
            let before = try overview(try await fixture.ask("GET", "/api/reports"))
            #expect(before.consent == "unknown")
            #expect(before.destination == "https://errors.example/7")
            #expect(try await fixture.ask("POST", "/api/reports/send", body: "{}").status == 409)
            #expect(sink.deliveries.isEmpty)
            let given = #"{"consent":"given"}"#
            let answer = try await fixture.ask("POST", "/api/reports/consent", body: given)
            #expect(try overview(answer).consent == "given")
            let sent = try await fixture.ask("POST", "/api/reports/send", body: "{}")
            #expect(try overview(sent).reports.isEmpty)
            #expect(sink.deliveries.compactMap(\.report).count == 1)
        }
    }

    @Test func whatIsSentLeavesThePagesLists() async throws {
        let sink = InMemorySink()
        try await TestServer.run(reporting: Self.sending(to: sink)) { fixture in
            let given = #"{"consent":"given"}"#
            _ = try await fixture.ask("POST", "/api/reports/consent", body: given)
            let changes = MessageRecorder(ReportsChanged.self, on: fixture.library.messages)
            try fail(fixture, .status)
            // One that it is there, one that it is sent.
            _ = try await changes.next()
            _ = try await changes.next()
            #expect(try await list(fixture).isEmpty)
        }
    }

    @Test func withoutAnAddressThereIsNothingToAgreeTo() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            let given = #"{"consent":"given"}"#
            let answer = try await fixture.ask("POST", "/api/reports/consent", body: given)
            #expect(answer.status == 409)
            #expect(answer.text.contains("--sentry DSN"))
            let revoked = #"{"consent":"revoked"}"#
            let refusal = try await fixture.ask("POST", "/api/reports/consent", body: revoked)
            #expect(try overview(refusal).consent == "revoked")
            for body in [#"{"consent":"unknown"}"#, #"{"consent":"perhaps"}"#, "{}"] {
                #expect(
                    try await fixture.ask("POST", "/api/reports/consent", body: body).status == 400
                )
            }
        }
    }

    @Test func whereNothingIsRecordedItSaysSoAndWhy() async throws {
        try await TestServer.run(reporting: ReportingSettings(capture: .off)) { fixture in
            let shown = try overview(try await fixture.ask("GET", "/api/reports"))
            #expect(!shown.isRecording)
            #expect(!shown.catchesCrashes)
            #expect(shown.problems.contains { $0.contains("OFFLINE_DIAGNOSTICS") })
            let answer = try await fixture.ask("POST", "/api/reports/test", body: "{}")
            #expect(answer.status == 409)
            #expect(answer.text.contains("OFFLINE_DIAGNOSTICS"))
        }
    }

    @Test func aReportThatIsNotThereIsNotFound() async throws {
        try await TestServer.run(reporting: Self.errors) { fixture in
            let answer = try await fixture.ask("GET", "/api/reports/%3Cscript%3E")
            #expect(answer.status == 404)
            #expect(answer.text.contains("sent or deleted"))
        }
    }

    @Test("promise 15: who has no token reads and changes no report")
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
                let answer = try await fixture.client.ask(lines, body: [0x7B, 0x7D])
                #expect(answer.status == 403, "\(method) \(path)")
            }
            #expect(try await list(fixture).count == 1)
        }
    }
}
