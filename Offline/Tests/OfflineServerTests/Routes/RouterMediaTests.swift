// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
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

    @Test func anotherSoundIsServedLikeTheFilm() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: [1])
            let film = try #require(fixture.library.path(of: item))
            try await makeFilm(film)
            let copy = "/media/\(item.id)?sound=2"
            let response = try await fixture.send("GET", copy, ["Range: bytes=0-99"])
            #expect(response.status == 206)
            #expect(response.body.count == 100)
            #expect(response.header("Content-Type") == "video/mp4")
            let tag = try #require(response.header("ETag"))
            let whole = try await fixture.send("GET", copy, ["If-Range: \(tag)"])
            #expect(whole.body.starts(with: response.body))
            let plain = try await fixture.send("HEAD", "/media/\(item.id)")
            #expect(plain.header("ETag") != tag)
            let first = try await fixture.send("GET", "/media/\(item.id)?sound=1")
            #expect(first.header("ETag") == plain.header("ETag"))
            let saved = try await fixture.send("HEAD", copy + "&download=1")
            #expect(saved.header("Content-Disposition")?.contains("film.mp4") == true)
        }
    }

    /// Writes a film with two sounds.
    private func makeFilm(_ path: String) async throws {
        let sources = [
            "testsrc2=size=64x64:rate=5:duration=2", "sine=duration=2", "sine=duration=2",
        ]
        var limits = ChildProcess.Limits()
        limits.wallClock = .seconds(60)
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(),
            arguments: sources.flatMap { ["-f", "lavfi", "-i", $0] }
                + ["-map", "0", "-map", "1", "-map", "2", "-c:a", "aac", "-y", path],
            limits: limits
        )
        #expect(try await child.run().status == .exited(0))
    }

    @Test(arguments: ["0", "-1", "3", "x", "", "2.0", "9223372036854775808", "%00", "../2"])
    func anUnknownSoundIsNotFound(_ number: String) async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: [1])
            let film = try #require(fixture.library.path(of: item))
            try await makeFilm(film)
            let response = try await fixture.send("GET", "/media/\(item.id)?sound=\(number)")
            #expect(response.status == 404)
            #expect(try await fixture.send("GET", "/media/9?sound=2").status == 404)
        }
    }

    @Test func aFileWithoutSoundsSaysWhy() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "film", bytes: [1])
            let response = try await fixture.send("GET", "/media/\(item.id)?sound=2")
            #expect(response.status == 409)
            #expect(String(decoding: response.body, as: UTF8.self).contains("unreadableSound"))
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
