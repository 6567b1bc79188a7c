// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

/// A playlist in the style of a packager, and the result that the rules of the format require.
struct SamplePlaylist: CustomTestStringConvertible {
    /// The result of the parser.
    enum Expectation {
        /// A media playlist with this many segments, not counting gaps, and this total duration.
        case media(_ segments: Int, seconds: Double)
        /// A master playlist with this many renditions, and the last component of the best one.
        case master(_ renditions: Int, best: String)
        /// An error with this code and a word of the message.
        case refused(PlaylistErrorCode, _ word: String)
    }

    let name: String
    let text: String
    let expectation: Expectation

    init(_ name: String, _ expectation: Expectation, _ text: String) {
        self.name = name
        self.text = text
        self.expectation = expectation
    }

    var testDescription: String { name }

    static let all = applePlaylists + packagerPlaylists + carelessPlaylists + refusedPlaylists

    /// Compares the result of the parser with the expected one.
    func check() throws {
        let parsed = Result {
            try PlaylistParser.parse([UInt8](text.utf8), at: WebAddress(PlaylistFixtures.base))
        }
        switch (expectation, parsed) {
        case (.media(let count, let seconds), .success(.media(let playlist))):
            #expect(playlist.segments.count { !$0.isGap } == count)
            #expect(abs(playlist.duration - seconds) < 1e-6, "\(playlist.duration)")
        case (.master(let count, let best), .success(.master(let playlist))):
            #expect(playlist.renditions.count == count)
            #expect(try playlist.rendition(.best).address.lastPathComponent == best)
        case (.refused(let code, let word), .failure(let error as PlaylistError)):
            #expect(error.code == code)
            #expect(error.message.contains(word), "\(error.message)")
        default:
            Issue.record("\(parsed)")
        }
    }
}

@Suite(.timeLimit(.minutes(15)))
struct SamplePlaylistTests {
    @Test(arguments: SamplePlaylist.all)
    func playlistsOfManyPackagersAreRead(sample: SamplePlaylist) throws {
        try sample.check()
    }

    @Test(arguments: SamplePlaylist.all)
    func theResultDoesNotDependOnTheLineEndings(sample: SamplePlaylist) throws {
        for ending in ["\r\n", "\r", "\n\n", " \t\n"] {
            let text = sample.text.replacing("\n", with: ending)
            try SamplePlaylist(sample.name, sample.expectation, "\u{feff}" + text).check()
        }
    }
}
