// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineLibrary
@testable import OfflineServer

@Suite(.timeLimit(.minutes(5)))
struct RouterMediaTests {
    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test func theWholeFileHasTheHeadersThatAPlayerNeeds() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let response = try await fixture.send("GET", "/media/\(item.id)")
            #expect(response.status == 200)
            #expect(response.body == Self.bytes)
            #expect(response.header("Content-Type") == "video/mp4")
            #expect(response.header("Accept-Ranges") == "bytes")
            #expect(response.header("Content-Disposition") == nil)
        }
    }

    @Test func aRangeReturnsExactlyItsBytes() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let response = try await fixture.send(
                "GET",
                "/media/\(item.id)",
                ["Range: bytes=70000-79999"]
            )
            #expect(response.status == 206)
            #expect(response.header("Content-Range") == "bytes 70000-79999/100000")
            #expect(response.body == Array(Self.bytes[70_000..<80_000]))
            let beyond = try await fixture.send(
                "GET",
                "/media/\(item.id)",
                ["Range: bytes=100000-"]
            )
            #expect(beyond.status == 416)
            #expect(beyond.header("Content-Range") == "bytes */100000")
        }
    }

    @Test func aRangeOfAnotherVersionReturnsTheWholeFile() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let path = "/media/\(item.id)"
            let tag = try #require(try await fixture.send("HEAD", path).header("ETag"))
            let range = "Range: bytes=5-9"
            let same = try await fixture.send("GET", path, [range, "If-Range: \(tag)"])
            #expect(same.status == 206)
            let other = try await fixture.send("GET", path, [range, "If-Range: \"old\""])
            #expect(other.status == 200)
            #expect(other.body.count == Self.bytes.count)
            let known = try await fixture.send("GET", path, ["If-None-Match: \(tag)"])
            #expect(known.status == 304)
        }
    }

    @Test func headReturnsTheLengthAndNoBody() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: Self.bytes)
            let response = try await fixture.send("HEAD", "/media/\(item.id)")
            #expect(response.status == 200)
            #expect(response.header("Content-Length") == "100000")
            #expect(response.body.isEmpty)
        }
    }

    @Test(arguments: ["text/html", "image/svg+xml", "application/pdf", "text/javascript", nil])
    func aFileThatCouldRunInABrowserIsOnlySaved(_ type: String?) async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "odd", bytes: [60], mediaType: type)
            let response = try await fixture.send("GET", "/media/\(item.id)")
            #expect(response.header("Content-Type") == "application/octet-stream")
            #expect(response.header("Content-Disposition")?.hasPrefix("attachment;") == true)
            #expect(response.header("Content-Security-Policy")?.contains("sandbox") == true)
        }
    }

    @Test func aTitleWithLineEndsStaysOneHeader() async throws {
        try await TestServer.run { fixture in
            let title = "a\r\nSet-Cookie: stolen=1\r\n\r\n<html>"
            let item = try fixture.addReady(title: title, bytes: [1])
            let response = try await fixture.send("GET", "/media/\(item.id)?download=1")
            #expect(response.status == 200)
            #expect(response.header("Set-Cookie") == nil)
            #expect(response.body == [1])
            #expect(
                response.header("Content-Disposition")?.hasPrefix(
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
            #expect(try await fixture.send("GET", "/media/\(item.id)").status == 404)
        }
    }

    @Test func anUnfinishedItemHasNoFileAndNoPicture() async throws {
        try await TestServer.run { fixture in
            let body = #"{"url":"https://media.example/a.mp4"}"#
            _ = try await fixture.send("POST", "/api/downloads", body: body)
            #expect(try await fixture.send("GET", "/media/1").status == 404)
            #expect(try await fixture.send("GET", "/pictures/1").status == 404)
        }
    }

    @Test func aPictureIsAJPEG() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: [1])
            let place = URL(filePath: fixture.library.directory.picture(of: item.id))
            try Data([0xFF, 0xD8]).write(to: place)
            let response = try await fixture.send("GET", "/pictures/\(item.id)")
            #expect(response.header("Content-Type") == "image/jpeg")
            #expect(response.body == [0xFF, 0xD8])
        }
    }
}
