// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import OfflineLibrary
@testable import OfflineServer

@Suite(.timeLimit(.minutes(5)))
struct RouterReportsTests {
    private func list(_ fixture: TestServer) async throws -> [ReportJSON] {
        let answer = try await fixture.ask("GET", "/api/reports")
        return try JSONCoding.decode(ReportListJSON.self, from: answer.body).reports
    }

    static let codes: [(DownloadError.Code, String)] = [
        (.status, "download"), (.connection, "download"), (.invalidPlaylist, "parse"),
        (.refused, "parse"), (.mux, "mux"), (.verify, "mux"), (.database, "database"),
    ]

    @Test(arguments: codes)
    func aFailureIsRecordedUnderItsFamily(_ code: DownloadError.Code, _ kind: String) async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: [1])
            let error = DownloadError(code, "It did not work.")
            fixture.library.messages.post(DownloadFailed(item: item, error: error))
            let report = try #require(try await list(fixture).first)
            #expect(report.kind == kind)
            #expect(report.message.contains("It did not work."))
            #expect(report.breadcrumbs.contains { $0.text.contains("DownloadQueued") })
        }
    }

    @Test func promise14_noQueryOfAnAddressStandsInAReport() async throws {
        try await TestServer.run { fixture in
            let body = #"{"url":"https://media.example/a.m3u8?key=hunter2"}"#
            _ = try await fixture.ask("POST", "/api/downloads", body: body)
            let item = try #require(fixture.library.journal.items.lastData?.first)
            let error = DownloadError(.status, "Not found.")
            fixture.library.messages.post(DownloadFailed(item: item, error: error))
            let text = try await fixture.ask("GET", "/api/reports").text
            #expect(text.contains("https://media.example/a.m3u8"))
            #expect(!text.contains("hunter2"))
        }
    }

    @Test func reportsCanBeDeleted() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: [1])
            let error = DownloadError(.status, "Not found.")
            fixture.library.messages.post(DownloadFailed(item: item, error: error))
            #expect(try await list(fixture).count == 1)
            #expect(try await fixture.ask("DELETE", "/api/reports").text == "{\"reports\":[]}")
            #expect(try await list(fixture).isEmpty)
        }
    }
}
