// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct PlaylistVariablesTests {
    private func media(
        _ tags: String,
        segment: String,
        at base: String = "https://cdn.example/a/index.m3u8?t=1",
        importing imported: [String: String]? = nil
    ) throws -> Segment {
        let text = PlaylistFixtures.one(tags, segment: segment)
        let parsed = try PlaylistParser.parse(
            [UInt8](text.utf8),
            at: WebAddress(base),
            importing: imported
        )
        guard case .media(let playlist) = parsed else {
            throw PlaylistError(.invalid, "A media playlist was expected.")
        }
        return playlist.segments[0]
    }

    @Test func aValueReplacesItsReferences() throws {
        let segment = try media(
            """
            #EXT-X-DEFINE:NAME="host",VALUE="b.example"
            #EXT-X-DEFINE:NAME="base",VALUE="https://{$host}/x"
            #EXT-X-DEFINE:NAME="iv",VALUE="ff"
            #EXT-X-KEY:METHOD=AES-128,URI="{$base}/k",IV=0x{$iv}
            """,
            segment: "{$base}/{$host}.ts"
        )
        #expect(segment.address.text == "https://b.example/x/b.example.ts")
        #expect(segment.encryption?.keyAddress.text == "https://b.example/x/k")
        #expect(segment.encryption?.iv.last == 0xff)
    }

    @Test func replacedTextIsNotReplacedAgain() throws {
        let segment = try media(
            #"#EXT-X-DEFINE:NAME="a",VALUE="$b}""# + "\n" + #"#EXT-X-DEFINE:NAME="b",VALUE="c""#,
            segment: "x{{$a}.ts"
        )
        #expect(segment.address.path.contains("c.ts") == false)
    }

    @Test func aParameterOfTheAddressIsDecoded() throws {
        let segment = try media(
            #"#EXT-X-DEFINE:QUERYPARAM="t""#,
            segment: "a.ts?t={$t}",
            at: "https://cdn.example/a/index.m3u8?s=1&t=a%2Bb&u"
        )
        #expect(segment.address.query == "t=a+b")
    }

    @Test(arguments: ["t=%22", "t=%0A", "t=", "t", "u=1"])
    func anUnusableParameterIsAnError(query: String) {
        #expect(throws: PlaylistError.self) {
            try media(
                #"#EXT-X-DEFINE:QUERYPARAM="t""#,
                segment: "a.ts?t={$t}",
                at: "https://cdn.example/a/index.m3u8?\(query)"
            )
        }
    }

    @Test func aMediaPlaylistImportsOnlyWhatItNames() throws {
        let tag = #"#EXT-X-DEFINE:IMPORT="a""#
        let imported = ["a": "1", "b": "2"]
        #expect(
            try media(tag, segment: "{$a}.ts", importing: imported).address.lastPathComponent
                == "1.ts"
        )
        let error = #expect(throws: PlaylistError.self) {
            try media(tag, segment: "{$b}.ts", importing: imported)
        }
        #expect(error?.code == .undefinedVariable)
    }

    @Test func aMasterPlaylistHasItsVariables() throws {
        let master = try PlaylistFixtures.master(
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"v\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"{$a}\"\n{$a}.m3u8\n"
        )
        #expect(master.variables == ["a": "v"])
        #expect(master.renditions[0].audioGroup == "v")
        #expect(master.renditions[0].address.lastPathComponent == "v.m3u8")
    }

    @Test func variablesThatMultiplyAreRefused() {
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"xxxxxxxxxxxxxxxx\"\n"
        for number in 1...40 {
            let value = String(repeating: "{$v\(number - 1)}", count: 16)
            text += "#EXT-X-DEFINE:NAME=\"v\(number)\",VALUE=\"\(value)\"\n"
        }
        #expect(PlaylistFixtures.parseError(text)?.code == .tooLarge)
    }

    @Test func theSumOfAllReplacementsIsLimited() {
        let value = String(repeating: "x", count: 60_000)
        let lines = String(repeating: "#EXT-X-KEY:METHOD=NONE,A=\"{$v}\"\n", count: 2_000)
        let text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(value)\"\n" + lines
        #expect(PlaylistFixtures.parseError(text)?.code == .tooLarge)
        let many = (0...1_000).map { "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"\"\n" }.joined()
        #expect(PlaylistFixtures.parseError("#EXTM3U\n" + many)?.code == .tooLarge)
    }
}
