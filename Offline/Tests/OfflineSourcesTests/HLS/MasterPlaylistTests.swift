// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct MasterPlaylistTests {
    private let master: MasterPlaylist

    init() throws {
        master = try PlaylistFixtures.master(PlaylistFixtures.master)
    }

    private func name(_ choice: String, of master: MasterPlaylist) throws -> String {
        try master.rendition(QualityChoice(choice)).address.lastPathComponent
    }

    private func parseError(_ choice: String, of text: String) -> PlaylistError? {
        do {
            _ = try PlaylistFixtures.master(text).rendition(QualityChoice(choice))
            return nil
        } catch {
            return error as? PlaylistError
        }
    }

    private func streams(_ attributes: String...) -> String {
        let entries = attributes.enumerated().map { "#EXT-X-STREAM-INF:\($1)\n\($0).m3u8\n" }
        return "#EXTM3U\n" + entries.joined()
    }

    @Test func renditionsHaveTheAttributesOfThePlaylist() {
        let middle = master.renditions[1]
        #expect(middle.address.text == "https://cdn.example/show/one/mid.m3u8?sig=a,b")
        #expect(middle.bandwidth == 2_000_000)
        #expect(middle.averageBandwidth == 1_800_000)
        #expect(middle.width == 1280)
        #expect(middle.height == 720)
        #expect(middle.frameRate == 29.97)
        #expect(middle.codecs == ["avc1.64001f", "mp4a.40.2"])
        #expect(middle.audioGroup == "in")
        #expect(master.renditions.map(\.isAudioOnly) == [false, false, false, false, true])
    }

    @Test func theBestRenditionIsTheLargest() throws {
        #expect(try name("best", of: master) == "silent.m3u8")
    }

    @Test func theNearestHeightIsChosen() throws {
        #expect(try name("720p", of: master) == "mid.m3u8")
        #expect(try name("721p", of: master) == "mid.m3u8")
        #expect(try name("719p", of: master) == "low.m3u8")
        #expect(try name("100p", of: master) == "low.m3u8")
    }

    @Test func anAudioOnlyRenditionIsNeverChosenOverVideo() throws {
        let text = streams("BANDWIDTH=1,RESOLUTION=16x9", "BANDWIDTH=9,CODECS=\"mp4a.40.2\"")
        #expect(try name("best", of: PlaylistFixtures.master(text)) == "0.m3u8")
    }

    @Test func aStreamWithoutVideoIsAccepted() throws {
        let text = streams("BANDWIDTH=1,CODECS=\"mp4a.40.5\"", "BANDWIDTH=2,CODECS=\"mp4a.40.2\"")
        #expect(try name("best", of: PlaylistFixtures.master(text)) == "1.m3u8")
    }

    @Test func bandwidthDecidesIfASizeIsMissing() throws {
        let text = streams("BANDWIDTH=5", "BANDWIDTH=1,RESOLUTION=4096x2160", "BANDWIDTH=9")
        #expect(try name("best", of: PlaylistFixtures.master(text)) == "2.m3u8")
        let equal = streams("BANDWIDTH=5", "BANDWIDTH=5")
        #expect(try name("best", of: PlaylistFixtures.master(equal)) == "0.m3u8")
        #expect(parseError("720p", of: equal)?.message.contains("best") == true)
    }

    @Test func aBandwidthWithAFractionCounts() throws {
        let text = streams(
            "BANDWIDTH=100",
            "BANDWIDTH=900000.75",
            "BANDWIDTH=999999999999999999999999999.5"
        )
        #expect(try name("best", of: PlaylistFixtures.master(text)) == "1.m3u8")
    }

    @Test(arguments: ["", "p", "720", "-1p", "0p", "720P", "Best", "9999999999999999999p", "７p"])
    func anInvalidChoiceIsRejected(text: String) {
        #expect(throws: PlaylistError.self) { try QualityChoice(text) }
    }

    @Test func aChoiceRoundTripsThroughItsDescription() throws {
        for text in ["best", "720p"] {
            #expect(try QualityChoice(text).description == text)
        }
    }
}
