// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP

@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineSources

/// A format of documents from a server or a user, with valid examples.
struct ForeignFormat: CustomTestStringConvertible, Sendable {
    let name: String
    let examples: [String]
    /// Reads a document as the program does and checks the result.
    let read: @Sendable ([UInt8]) throws -> Void

    var testDescription: String { name }

    static let all = [
        playlist, manifest, page, subtitles, site, cookies, paste, feed, catalog, library, chapters,
        responseHead,
    ]

    private static let playlist = ForeignFormat(
        name: "playlist",
        examples: PlaylistFixtures.all
    ) { bytes in
        let base = try WebAddress(PlaylistFixtures.base)
        switch try PlaylistParser.parse(bytes, at: base) {
        case .master(let master):
            _ = try RenditionPlan(master, MediaChoice())
            _ = try RenditionPlan(master, MediaChoice(quality: .height(720)))
        case .media(let media):
            #expect(media.duration.isFinite && media.duration >= 0)
        }
    }

    private static let manifest = ForeignFormat(
        name: "manifest",
        examples: manifests
    ) { bytes in
        let manifest = try MPDParser.parse(bytes, at: try WebAddress(ManifestFixtures.base))
        let plan = try ManifestPlan(manifest, MediaChoice())
        for part in plan.tracks.flatMap(\.parts) {
            #expect(part.duration.map { $0.isFinite && $0 >= 0 } ?? true)
        }
    }

    private static let page = ForeignFormat(
        name: "page",
        examples: (PageSample.elements + PageSample.descriptions + PageSample.players).map(\.html)
    ) { bytes in
        let address = try WebAddress("https://site.example/watch/film.html")
        let contents = PageReader.contents(of: bytes, charset: nil, at: address)
        #expect(contents.candidates.count <= 64)
        for candidate in contents.candidates {
            #expect(candidate.media.address.text.hasPrefix("http"))
        }
    }

    private static let subtitles = ForeignFormat(
        name: "subtitles",
        examples: [subtitle]
    ) { bytes in
        let document = try WebVTTDocument(bytes)
        for cue in document.cues { #expect(cue.start.isFinite && cue.end.isFinite) }
        // The program must be able to read a file that it has written.
        let written = try WebVTTDocument(Array(WebVTTWriter.file(document.cues)))
        #expect(written.unreadable == 0)
    }

    private static let site = ForeignFormat(
        name: "site",
        examples: [siteDocument]
    ) { bytes in
        _ = try SiteChoice(try SiteDocument(bytes), MediaChoice(), site: "a.example")
    }

    private static let cookies = ForeignFormat(
        name: "cookies",
        examples: [cookieFile]
    ) { bytes in
        _ = try CookieFile(String(decoding: bytes, as: UTF8.self))
    }

    private static let paste = ForeignFormat(
        name: "paste",
        examples: [pasted]
    ) { bytes in
        let found = try PastedAddresses(String(decoding: bytes, as: UTF8.self))
        for address in found.addresses { #expect(address.text.hasPrefix("http")) }
    }
}
