// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineAPI
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct RouterTracksTests {
    private func write(_ text: String, _ name: String, _ fixture: TestServer) throws {
        try Data(text.utf8).write(to: URL(filePath: fixture.library.directory.mediaFile(name)))
    }

    private func item(_ fixture: TestServer) async throws -> ItemRepresentation {
        let response = try await fixture.send("GET", "/api/items/1")
        return try JSONCoding.decode(ItemRepresentation.self, from: response.body)
    }

    @Test func o20_theSubtitlesBesideAFilmAreListedAndServed() async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "film", bytes: [1])
            #expect(try await item(fixture).subtitleFiles == [])
            try write("WEBVTT\n\nSTYLE\n::cue { color: url(x) }\n", "1.de.vtt", fixture)
            try write("1\n00:00:01,000 --> 00:00:02,000\nHello\n", "1.en.srt", fixture)
            let subtitles = try #require(try await item(fixture).subtitleFiles)
            #expect(subtitles.map(\.number) == [1, 2])
            #expect(subtitles.map(\.language) == ["de", "en"])
            #expect(subtitles.map(\.name) == ["German", "English"])
            #expect(subtitles.map(\.fileName) == ["1.de.vtt", "1.en.srt"])
            let response = try await fixture.send("GET", "/subtitles/1/2")
            #expect(response.header("Content-Type") == "text/vtt; charset=utf-8")
            let expected = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n"
            #expect(String(decoding: response.body, as: UTF8.self) == expected)
            let other = try await fixture.send("GET", "/subtitles/1/1")
            #expect(String(decoding: other.body, as: UTF8.self) == "WEBVTT\n")
            // A list does not read the disk for each item.
            #expect(fixture.library.newestItems.items.map(\.subtitleFiles) == [nil])
        }
    }

    @Test func tracksAreThoseOfAFinishedFile() async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "film", bytes: [1])
            let broken = try await fixture.send("GET", "/api/items/1/tracks")
            #expect(broken.status == 200)
            #expect(String(decoding: broken.body, as: UTF8.self) == #"{"tracks":[]}"#)
            #expect(try await fixture.send("GET", "/api/items/2/tracks").status == 404)
            #expect(try await fixture.send("GET", "/api/items/x/tracks").status == 404)
        }
    }

    @Test(arguments: ["1/0", "1/2", "1/-1", "1/x", "2/1", "1/../1", "1/9223372036854775807"])
    func unknownSubtitlesAreNotFound(_ path: String) async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "film", bytes: [1])
            try write("WEBVTT\n", "1.en.vtt", fixture)
            #expect(try await fixture.send("GET", "/subtitles/\(path)").status == 404)
        }
    }

    @Test func o11_onlyARegularFileOfLimitedSizeIsRead() async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "film", bytes: [1])
            try FileManager.default.createSymbolicLink(
                atPath: fixture.library.directory.mediaFile("1.de.vtt"),
                withDestinationPath: "/etc/passwd"
            )
            try write("<html>", "1.en.vtt", fixture)
            mkfifo(fixture.library.directory.mediaFile("1.fr.vtt"), 0o600)
            let long = "WEBVTT\n" + String(repeating: "x", count: SubtitleLimits().textBytes)
            try write(long, "1.it.vtt", fixture)
            for number in 1...4 {
                let response = try await fixture.send("GET", "/subtitles/1/\(number)")
                #expect(response.status == 409)
            }
        }
    }
}
