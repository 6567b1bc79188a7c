// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineAPI
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineStore

/// Tests of files that a user drops on the page (O34).
@Suite(.timeLimit(.minutes(15)))
struct RouterUploadsTests {
    /// A document needs no ffprobe.
    private static let document = [UInt8]("%PDF-1.7 a document".utf8)

    private func upload(
        _ fixture: TestServer,
        _ name: String = "paper.pdf",
        _ content: [UInt8] = document,
        length: String? = nil,
        beside film: Int? = nil,
        headers: [String] = []
    ) async throws -> RawClient.Response {
        let query = PercentEncoding.encode(name) + (film.map { "&beside=\($0)" } ?? "")
        return try await fixture.client.send(
            [
                "POST /api/uploads?name=\(query) HTTP/1.1",
                "Host: 127.0.0.1:\(fixture.client.port)",
                "Authorization: Bearer \(TestServer.token)",
                "Content-Type: application/octet-stream",
                "Content-Length: \(length ?? "\(content.count)")",
            ] + headers,
            body: content
        )
    }

    private func code(_ response: RawClient.Response) throws -> String {
        try JSONCoding.decode(FailureJSON.self, from: response.body).error.code
    }

    private func item(_ response: RawClient.Response) throws -> ItemRepresentation {
        try JSONCoding.decode(ItemRepresentation.self, from: response.body)
    }

    /// The names in the media folder, including hidden ones.
    private func names(_ fixture: TestServer) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.library.directory.media)
            .filter { $0 != ".offline" }.sorted()
    }

    @Test func o34_aFileIsInTheLibraryWithItsNameAsTitle() async throws {
        try await TestServer.run { fixture in
            let response = try await upload(fixture, "Tide tables.pdf")
            #expect(response.status == 201)
            let item = try item(response)
            #expect(item.title == "Tide tables" && item.state == .ready)
            #expect(item.address == "import:Tide tables.pdf")
            #expect(try names(fixture) == ["Tide tables.pdf"])
            let content = try Data(
                contentsOf: URL(filePath: fixture.library.directory.mediaFile("Tide tables.pdf"))
            )
            #expect([UInt8](content) == Self.document)
        }
    }

    /// The refusal comes before the first byte, because a browser otherwise sends the whole file.
    @Test func o34_subtitlesThatAreTooLargeAreRefusedWithTheLimit() async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "film", bytes: [1])
            let response = try await upload(
                fixture,
                "1.de.srt",
                [],
                length: "\(9 << 20)",
                beside: 1
            )
            #expect(response.status == 400)
            let error = try JSONCoding.decode(FailureJSON.self, from: response.body).error
            #expect(error.code == "notMedia" && error.message.contains("at most 8.4 MB"))
        }
    }

    @Test func o34_subtitlesWithTooManyTextsAreNotCalledEmpty() async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "film", bytes: [1])
            let text = "1\n00:00:01,000 --> 00:00:02,000\nA\n\n"
            let content = [UInt8](String(repeating: text, count: 100_001).utf8)
            let response = try await upload(fixture, "1.de.srt", content, beside: 1)
            #expect(response.status == 400)
            let error = try JSONCoding.decode(FailureJSON.self, from: response.body).error
            #expect(error.message.contains("100000 texts"))
        }
    }

    @Test func o34_equalFilesAtOnceAreOneItem() async throws {
        try await TestServer.run { fixture in
            let responses = try await withThrowingTaskGroup(of: RawClient.Response.self) { group in
                for number in 1...10 {
                    group.addTask { try await upload(fixture, "copy \(number).pdf") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(responses.filter { $0.status == 201 }.count == 1)
            #expect(responses.filter { $0.status == 200 }.count == 9)
            #expect(Set(try responses.map { try item($0).id }).count == 1)
            #expect(try names(fixture).count == 1)
        }
    }

    @Test func o34_anotherFileOfThatNameGetsANumber() async throws {
        try await TestServer.run { fixture in
            _ = try await upload(fixture)
            let other = try await upload(fixture, "paper.pdf", Self.document + [0x21])
            #expect(other.status == 201)
            #expect(try names(fixture) == ["paper (2).pdf", "paper.pdf"])
        }
    }

    @Test(arguments: [
        ("../../x.pdf", "x.pdf"), ("a/b\\c.pdf", "c.pdf"), ("...", "Imported file.pdf"),
        ("", "Imported file.pdf"),
        ("con.pdf", "con_.pdf"), ("a<b>:c?.pdf", "a(b)-c.pdf"), ("a\nb\u{7}.pdf", "a b.pdf"),
        (String(repeating: "n", count: 300) + ".pdf", String(repeating: "n", count: 120) + ".pdf"),
        ("paper", "paper.pdf"), (".hidden.pdf", "hidden.pdf"),
    ])
    func o34_aHostileNameLeavesNoFolder(_ name: String, _ stored: String) async throws {
        try await TestServer.run { fixture in
            let response = try await upload(fixture, name)
            #expect(response.status == 201)
            #expect(try names(fixture) == [stored])
        }
    }

    @Test(arguments: [
        ("film.mp4", [UInt8]("this is a text".utf8), "notMedia"),
        ("film.mp4", [UInt8]("PK\u{3}\u{4} an archive".utf8), "notMedia"),
        ("paper.pdf", [], "notMedia"),
    ])
    func o34_whatCannotBePlayedLeavesNothing(
        _ name: String,
        _ content: [UInt8],
        _ code: String
    ) async throws {
        try await TestServer.run { fixture in
            let response = try await upload(fixture, name, content)
            #expect(response.status == 400)
            #expect(try self.code(response) == code)
            #expect(response.text.contains("“\(name)”"))
            #expect(try names(fixture) == [])
            #expect(try fixture.library.journal.items.items().isEmpty)
        }
    }

    @Test func o34_aFileLargerThanTheDiskIsRefusedAtOnce() async throws {
        try await TestServer.run { fixture in
            let size = "\(Int64.max / 2)"
            let response = try await upload(fixture, length: size)
            #expect(response.status == 507)
            #expect(try self.code(response) == "diskFull")
            let check = try await fixture.send("GET", "/api/uploads?name=a.mp4&size=\(size)")
            #expect(check.status == 507)
            #expect(try self.code(check) == "diskFull")
            #expect(try await fixture.send("GET", "/api/uploads?name=a&size=9").status == 204)
            #expect(try await fixture.send("GET", "/api/uploads?name=a&size=0").status == 400)
            #expect(try await fixture.send("GET", "/api/uploads?name=a").status == 400)
            #expect(try names(fixture) == [])
        }
    }

    @Test func o34_aBodyWithoutALengthIsRefused() async throws {
        try await TestServer.run { fixture in
            let lines = [
                "POST /api/uploads?name=a.pdf HTTP/1.1", "Host: 127.0.0.1:\(fixture.client.port)",
                "Authorization: Bearer \(TestServer.token)",
                "Content-Type: application/octet-stream", "Transfer-Encoding: chunked",
            ]
            let response = try await fixture.client.send(lines, body: [UInt8]("0\r\n\r\n".utf8))
            #expect(response.status == 411)
            #expect(try self.code(response) == "lengthMissing")
        }
    }

    @Test func o34_bytesAfterTheAnnouncedOnesAreNotKept() async throws {
        try await TestServer.run { fixture in
            let more = Self.document + [UInt8]("more".utf8)
            let response = try await upload(
                fixture,
                "paper.pdf",
                more,
                length: "\(Self.document.count)"
            )
            #expect(response.status == 201)
            #expect(try item(response).size == Int64(Self.document.count))
        }
    }

    @Test(arguments: [
        (["Content-Type: application/json"], 415), (["Origin: http://evil.example"], 403),
        (["Authorization: Bearer wrong"], 403), (["Sec-Fetch-Site: cross-site"], 403),
    ])
    func o15_aForeignUploadIsRefusedBeforeItsBody(_ headers: [String], _ status: Int) async throws {
        try await TestServer.run { fixture in
            let form =
                headers[0].hasPrefix("Content-Type")
                ? headers[0] : "Content-Type: application/octet-stream"
            let bearer =
                headers[0].hasPrefix("Authorization")
                ? headers[0] : "Authorization: Bearer \(TestServer.token)"
            var lines = [
                "POST /api/uploads?name=a.pdf HTTP/1.1", "Host: 127.0.0.1:\(fixture.client.port)",
                bearer, form, "Content-Length: 1000000",
            ]
            if form != headers[0], bearer != headers[0] { lines += headers }
            // No byte of the body follows.
            let response = try await fixture.client.send(lines)
            #expect(response.status == status)
            #expect(try names(fixture) == [])
        }
    }
}
