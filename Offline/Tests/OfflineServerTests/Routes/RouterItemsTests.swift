// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineAPI
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct RouterItemsTests {
    private func code(_ response: RawClient.Response) -> String? {
        try? JSONCoding.decode(FailureJSON.self, from: response.body).error.code
    }

    @Test func anAddressBecomesAnItemOnce() async throws {
        try await TestServer.run { fixture in
            let body = #"{"url":"https://media.example/a.mp4"}"#
            let first = try await fixture.send("POST", "/api/downloads", body: body)
            let second = try await fixture.send("POST", "/api/downloads", body: body)
            #expect(first.status == 201)
            #expect(second.status == 200)
            let items = try [first, second].map {
                try JSONCoding.decode(ItemRepresentation.self, from: $0.body)
            }
            #expect(items[0].id == items[1].id)
            #expect(items[0].state == .queued)
        }
    }

    @Test func o19_eachAddressOfATextBecomesAnItem() async throws {
        try await TestServer.run { fixture in
            let text =
                #"see https://media.example/a.mp4,\nmedia.example/b.mp4 and ftp://x.example/c"#
            let body = #"{"text":"\#(text)","quality":"720p"}"#
            let first = try await fixture.send("POST", "/api/items", body: body)
            #expect(first.status == 201)
            let pasted = try JSONCoding.decode(PastedJSON.self, from: first.body)
            #expect(
                pasted.items.map(\.address) == [
                    "https://media.example/a.mp4", "https://media.example/b.mp4",
                ]
            )
            #expect(pasted.items.map(\.quality) == ["720p", "720p"])
            #expect(pasted.refused.map(\.code) == ["unsupportedScheme"])
            #expect(pasted.refused.map(\.line) == [2])
            #expect(try await fixture.send("POST", "/api/items", body: body).status == 200)
            #expect(fixture.library.newestItems.items.count == 2)
        }
    }

    @Test(arguments: [
        (#"{"text":"a.example/f.mp4","title":" <b>A\n film\u0007</b> "}"#, ["<b>A film</b>"]),
        (#"{"text":"a.example/f.mp4","title":" "}"#, ["f"]),
        (#"{"text":"a.example/f.mp4"}"#, ["f"]),
        (#"{"text":"a.example/f.mp4 a.example/g.mp4","title":"Film"}"#, ["f", "g"]),
    ])
    func theTitleOfOneAddressIsOneLineOfText(_ body: String, _ titles: [String]) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("POST", "/api/items", body: body)
            let pasted = try JSONCoding.decode(PastedJSON.self, from: response.body)
            #expect(pasted.items.map(\.title) == titles)
        }
    }

    @Test(arguments: [
        "{}", #"{"text":""}"#, #"{"text":"nothing"}"#, #"{"text":"file:///etc/passwd"}"#,
        #"{"text":["https://a.example/"]}"#, #"{"text":"a.example/f","quality":"huge"}"#,
    ])
    func aTextWithoutAnAddressIsRefusedWithAReason(_ body: String) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("POST", "/api/items", body: body)
            #expect(response.status == 400)
            #expect(code(response) != nil)
            #expect(fixture.library.newestItems.items.isEmpty)
        }
    }

    @Test(arguments: [
        (#"{"url":"file:///etc/passwd"}"#, 400), (#"{"url":"nonsense"}"#, 400),
        (#"{"url":"import:1.mp4"}"#, 400), (#"{}"#, 400), ("", 400), ("[", 400), ("[]", 400),
        (#"{"url":"https://a.example/","quality":"huge"}"#, 400),
        (#"{"url":7}"#, 400), (#"{"url":"https://a.example/","live":{"seconds":0}}"#, 400),
        (#"{"url":"https://a.example/","live":{"seconds":-7200}}"#, 400),
        (#"{"url":"https://a.example/","live":{"seconds":1e9}}"#, 400),
        (#"{"url":"https://a.example/","live":7}"#, 400),
    ])
    func anInvalidDownloadIsRefusedWithAReason(_ body: String, _ status: Int) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("POST", "/api/downloads", body: body)
            #expect(response.status == status)
            #expect(code(response) != nil)
            #expect(fixture.library.newestItems.items.isEmpty)
        }
    }

    @Test func aRecordingIsRequestedAndStoppedOnlyAfterItsBegin() async throws {
        try await TestServer.run { fixture in
            let body = #"{"url":"https://media.example/a.m3u8","live":{"seconds":7200}}"#
            let response = try await fixture.send("POST", "/api/downloads", body: body)
            let item = try JSONCoding.decode(ItemRepresentation.self, from: response.body)
            #expect(item.live == LiveRecording(seconds: 7_200))
            let path = "/api/items/\(item.id)/stop"
            let stopped = try await fixture.send("POST", path, body: "{}")
            #expect(stopped.status == 409 && code(stopped) == "notRecording")
        }
    }

    @Test func theSampleBecomesAnItem() async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("POST", "/api/sample", body: "{}")
            #expect(response.status == 201)
            let item = try JSONCoding.decode(ItemRepresentation.self, from: response.body)
            #expect(item.address == "sample:stream")
        }
    }

    @Test func removingAnItemDeletesItsFileOnlyOnRequest() async throws {
        try await TestServer.run { fixture in
            let kept = try fixture.addReady(title: "kept", bytes: [1])
            let gone = try fixture.addReady(title: "gone!", bytes: [2])
            let paths = [kept, gone].compactMap { fixture.library.path(of: $0) }
            #expect(try await fixture.send("DELETE", "/api/items/\(kept.id)").status == 200)
            let path = "/api/items/\(gone.id)?withFile=true"
            let response = try await fixture.send("DELETE", path)
            #expect(response.text == "{\"removed\":\(gone.id)}")
            #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == [true, false])
            #expect(code(try await fixture.send("GET", "/api/items/\(gone.id)")) == "notFound")
        }
    }

    @Test func aReadyItemIsNotRetried() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "ready", bytes: [1])
            let path = "/api/items/\(item.id)/retry"
            #expect(try await fixture.send("POST", path, body: "{}").status == 409)
            try fixture.library.journal.move(item.id, .lose)
            let response = try await fixture.send("POST", path, body: "{}")
            #expect(response.status == 200)
            #expect(response.text.contains(#""state":"queued""#))
        }
    }

    @Test func refreshReportsMissingFiles() async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "one", bytes: [1])
            _ = try fixture.addReady(title: "three", bytes: [1])
            let gone = try fixture.addReady(title: "second", bytes: [1])
            try FileManager.default.removeItem(atPath: fixture.library.path(of: gone) ?? "")
            let response = try await fixture.send("POST", "/api/refresh", body: "{}")
            let report = try JSONCoding.decode(RefreshReport.self, from: response.body)
            #expect(report.checked == 3)
            #expect(report.missing.map(\.title) == ["second"])
        }
    }

    @Test func anUnknownPathIsNotFound() async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("GET", "/nothing")
            #expect(code(response) == "notFound")
        }
    }
}
