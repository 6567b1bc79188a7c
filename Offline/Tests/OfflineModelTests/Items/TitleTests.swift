// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct TitleTests {
    @Test(arguments: [
        ("http://example.org/films/My%20Film.mp4", "My Film"),
        ("http://example.org/My%20Film/hls/master.m3u8?token=secret", "My Film"),
        ("http://example.org/master.m3u8", "example.org"),
        ("http://example.org/hls/playlist.m3u8", "example.org"),
        ("http://example.org/Reef/manifest.mpd", "Reef"),
        ("http://example.org/dash/stream.mpd?a=1", "example.org"),
        ("http://example.org/video.mp4", "video"),
        ("http://example.org/", "example.org"),
        ("http://example.org/%2Fetc%2Fpasswd", "/etc/passwd"),
        ("http://example.org/a%0Ab%09c", "a b c"),
        ("http://example.org/.hidden", ".hidden"),
    ])
    func comesFromTheAddress(address: String, title: String) throws {
        #expect(Title(origin: .address(try WebAddress(address))).text == title)
    }

    @Test func hasNoInvisibleOrDirectionCharacters() {
        #expect(Title("a\u{202E}b\u{0}c\u{200B}d", fallback: "x").text == "abcd")
    }

    @Test func isNeverLongerThanALine() {
        #expect(Title(String(repeating: "x", count: 5_000), fallback: "").text.count == 120)
    }

    @Test func anEmptyTitleFallsBack() {
        #expect(Title(" \n ", fallback: "host").text == "host")
    }
}
