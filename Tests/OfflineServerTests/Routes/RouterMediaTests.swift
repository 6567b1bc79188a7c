// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineLibrary
@testable import OfflineServer

@Suite(.timeLimit(.minutes(5)))
struct RouterMediaTests {
    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test func theWholeFileArrivesWithWhatAPlayerNeeds() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let answer = try await fixture.ask("GET", "/media/\(item.id)")
            #expect(answer.status == 200)
            #expect(answer.body == Self.bytes)
            #expect(answer.header("Content-Type") == "video/mp4")
            #expect(answer.header("Accept-Ranges") == "bytes")
            #expect(answer.header("Content-Disposition") == nil)
        }
    }

    @Test func aRangeIsAnsweredWithExactlyItsBytes() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let answer = try await fixture.ask(
                "GET",
                "/media/\(item.id)",
                ["Range: bytes=70000-79999"]
            )
            #expect(answer.status == 206)
            #expect(answer.header("Content-Range") == "bytes 70000-79999/100000")
            #expect(answer.body == Array(Self.bytes[70_000..<80_000]))
            let beyond = try await fixture.ask("GET", "/media/\(item.id)", ["Range: bytes=100000-"])
            #expect(beyond.status == 416)
            #expect(beyond.header("Content-Range") == "bytes */100000")
        }
    }

    @Test func aRangeOfAnotherVersionGivesTheWholeFile() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let path = "/media/\(item.id)"
            let tag = try #require(try await fixture.ask("HEAD", path).header("ETag"))
            let range = "Range: bytes=5-9"
            let same = try await fixture.ask("GET", path, [range, "If-Range: \(tag)"])
            #expect(same.status == 206)
            let other = try await fixture.ask("GET", path, [range, "If-Range: \"old\""])
            #expect(other.status == 200)
            #expect(other.body.count == Self.bytes.count)
            let known = try await fixture.ask("GET", path, ["If-None-Match: \(tag)"])
            #expect(known.status == 304)
        }
    }

    @Test func headGivesTheLengthAndNoBody() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let answer = try await fixture.ask("HEAD", "/media/\(item.id)")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Length") == "100000")
            #expect(answer.body.isEmpty)
        }
    }

    @Test(arguments: ["text/html", "image/svg+xml", "application/pdf", "text/javascript", nil])
    func aFileThatCouldRunInABrowserIsOnlySaved(_ type: String?) async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "odd", bytes: [60], mediaType: type)
            let answer = try await fixture.ask("GET", "/media/\(item.id)")
            #expect(answer.header("Content-Type") == "application/octet-stream")
            #expect(answer.header("Content-Disposition")?.hasPrefix("attachment;") == true)
            #expect(answer.header("Content-Security-Policy")?.contains("sandbox") == true)
        }
    }

    @Test func aTitleWithLineEndsStaysOneHeader() async throws {
        try await TestServer.run { fixture in
            let title = "a\r\nSet-Cookie: stolen=1\r\n\r\n<html>"
            let item = try fixture.addReady(title: title, bytes: [1])
            let answer = try await fixture.ask("GET", "/media/\(item.id)?download=1")
            #expect(answer.status == 200)
            #expect(answer.header("Set-Cookie") == nil)
            #expect(answer.body == [1])
            #expect(
                answer.header("Content-Disposition")?.hasPrefix(
                    "attachment; filename=\"a Set-Cookie stolen=1 html.mp4\";"
                ) == true
            )
        }
    }

    @Test func aLinkInPlaceOfTheFileIsNotFollowed() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let path = try #require(fixture.library.path(of: item))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: "/etc/passwd"
            )
            #expect(try await fixture.ask("GET", "/media/\(item.id)").status == 404)
        }
    }

    @Test func anUnfinishedItemHasNoFileAndNoPicture() async throws {
        try await TestServer.run { fixture in
            let body = #"{"url":"https://media.example/a.mp4"}"#
            _ = try await fixture.ask("POST", "/api/downloads", body: body)
            #expect(try await fixture.ask("GET", "/media/1").status == 404)
            #expect(try await fixture.ask("GET", "/pictures/1").status == 404)
        }
    }

    @Test func aPictureIsAJPEG() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: [1])
            let place = URL(filePath: fixture.library.directory.picture(of: item.id))
            try Data([0xFF, 0xD8]).write(to: place)
            let answer = try await fixture.ask("GET", "/pictures/\(item.id)")
            #expect(answer.header("Content-Type") == "image/jpeg")
            #expect(answer.body == [0xFF, 0xD8])
        }
    }
}
