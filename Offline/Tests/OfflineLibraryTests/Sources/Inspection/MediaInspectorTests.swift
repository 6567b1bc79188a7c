// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsHTTP
import TidingsTestFixtures

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct MediaInspectorTests {
    private let test: TestLibrary

    init() async throws {
        test = try TestLibrary()
        await test.start()
    }

    private func inspect(
        _ path: String,
        _ choice: MediaChoice = MediaChoice(),
        live: LiveRecording? = nil
    ) async throws -> MediaInspection {
        var request = try test.request(path)
        request.choice = RequestedChoice(choice)
        request.live = live
        return try await test.library.inspect(request)
    }

    private func page(_ body: String) -> JSON {
        ["text": .text("<title>Reef</title>" + body), "type": "text/html; charset=utf-8"]
    }

    private static let segments =
        "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.ts\n#EXTINF:3,\nb.ts\n"
    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",URI="de.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="French",LANGUAGE="fr",URI="fr.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=16x9,AUDIO="a",SUBTITLES="s",CODECS="avc1.4d"
        v.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=5,RESOLUTION=8x5,AUDIO="a",SUBTITLES="s"
        small.m3u8

        """

    private func serveStream(_ end: String = "#EXT-X-ENDLIST\n") async throws {
        var routes: [String: JSON] = ["/master.m3u8": ["text": .text(Self.master)]]
        for name in ["v", "small", "de", "en", "fr"] {
            routes["/\(name).m3u8"] = ["text": .text(Self.segments + end)]
        }
        try await test.origin.serve(routes)
    }

    @Test func o20_aFileIsNotFetched() async throws {
        try await test.origin.serve([
            "/film.mp4": ["size": 3_145_728, "seed": 1, "type": "video/mp4"]
        ])
        let found = try await inspect("/film.mp4", MediaChoice(quality: .audio))
        #expect(found.refusal == nil)
        #expect((found.kind, found.size) == (.file, 3_145_728))
        #expect((found.title, found.mediaType) == ("film", "video/mp4"))
        #expect(found.host == test.origin.base.split(separator: "/").last.map(String.init))
        #expect(found.notes.count == 1)
        #expect(try test.library.journal.items.items().isEmpty)
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
        await test.library.stop()
    }

    @Test func o20_aStreamShowsItsQualitiesAndLanguages() async throws {
        try await serveStream()
        let choice = MediaChoice(quality: .height(9), audio: try LanguageChoice("en"))
        let found = try await inspect("/master.m3u8", choice)
        #expect(found.refusal == nil, "\(found.refusal?.message ?? "")")
        #expect((found.kind, found.duration, found.isLive) == (.stream, 12, false))
        #expect(found.qualities.map(\.height) == [9, 5])
        #expect(found.qualities.map(\.isKept) == [true, false])
        #expect(found.qualities[0].codecs == ["avc1.4d"])
        #expect(found.audio.map(\.language) == ["de", "en"])
        #expect(found.audio.map(\.isKept) == [false, true])
        #expect(found.subtitles.map(\.name) == ["French"])
        #expect(try await test.requests()["/a.ts"] == nil)
        await test.library.stop()
    }

    @Test func aLiveStreamIsRefusedUnlessItIsRecorded() async throws {
        try await serveStream("")
        let refused = try await inspect("/master.m3u8")
        #expect(refused.isLive && refused.refusal?.code == "live")
        #expect(refused.qualities.count == 2)
        let recorded = try await inspect("/master.m3u8", live: LiveRecording())
        #expect(recorded.isLive && recorded.refusal == nil)
        await test.library.stop()
    }

    @Test func aRefusalIsThatOfADownload() async throws {
        let key = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple\"\n"
        try await test.origin.serve([
            "/drm.m3u8": ["text": .text("#EXTM3U\n" + key + "#EXTINF:9,\na.ts\n#EXT-X-ENDLIST\n")],
            "/empty.mp4": ["text": ""],
            "/gone.mp4": ["status": 410, "text": "no"],
        ])
        for path in ["/drm.m3u8", "/empty.mp4", "/gone.mp4"] {
            let found = try await inspect(path)
            let failure = try await test.get(path).failure
            #expect(found.refusal == failure, "\(path)")
        }
        await test.library.stop()
    }

    @Test func o11_privateAddressesNeedThePermission() async throws {
        let strict = try TestLibrary(origin: test.origin) { $0.allowsPrivateAddresses = false }
        await strict.start()
        let found = try await strict.library.inspect(try strict.request("/film.mp4"))
        #expect(found.refusal?.code == "privateAddress")
        #expect(try await test.origin.log().isEmpty)
        await strict.library.stop()
        await test.library.stop()
    }

    @Test func o20_aPageWithSeveralFilmsShowsThem() async throws {
        try await test.origin.serve([
            "/watch": page(
                "<video src=/one-720p.mp4 poster=/one.jpg title=One></video>"
                    + "<video src=/two.m3u8></video>"
            )
        ])
        let found = try await inspect("/watch")
        #expect(found.refusal == nil)
        #expect((found.kind, found.title) == (.page, "Reef"))
        #expect(found.candidates.map(\.format) == ["video", "HLS"])
        #expect(found.candidates[0].height == 720)
        #expect(found.candidates[0].picture == test.origin.base + "/one.jpg")
        #expect(
            found.candidates.map(\.referrer)
                == Array(repeating: test.origin.base + "/watch", count: 2)
        )
        await test.library.stop()
    }

    @Test func o20_thePageOfOneFilmShowsItsMedia() async throws {
        try await serveStream()
        try await test.origin.serve(["/watch": page("<video src=/master.m3u8></video>")])
        let found = try await inspect("/watch", MediaChoice(quality: .height(5)))
        #expect((found.kind, found.title, found.duration) == (.stream, "Reef", 12))
        #expect(found.qualities.map(\.isKept) == [false, true])
        #expect(found.candidates.count == 1)
        await test.library.stop()
    }

    @Test func o20_aPageKeepsTheFileOfTheChosenQuality() async throws {
        try await test.origin.serve([
            "/watch": page(
                "<video><source src=/film-1080p.mp4><source src=/film-480p.mp4></video>"
            ),
            "/film-480p.mp4": ["size": 2_000, "seed": 1, "type": "video/mp4"],
        ])
        let found = try await inspect("/watch", MediaChoice(quality: .height(720)))
        #expect(found.size == 2_000)
        #expect(found.notes.first == "The page does not have 720p; 480p was kept.")
        await test.library.stop()
    }

    @Test func o11_aHostilePageIsShownWithinLimits() async throws {
        let title = String(repeating: "x<script>alert(1)</script>\u{202E}", count: 40_000)
        let films = (0..<5_000).map { "<a href='/f\($0).mp4?a=1&amp;b=2'>\(title.prefix(600))</a>" }
        let text =
            "<title>\(title)</title><meta property=og:title content='\(title.prefix(9_000))'>"
        try await test.origin.serve(["/watch": page(text + films.joined())])
        let found = try await inspect("/watch")
        #expect((1...64).contains(found.candidates.count))
        #expect(found.candidates.allSatisfy { $0.title.count <= Title.longest })
        #expect(found.title.count <= Title.longest)
        #expect(try JSONFormat.encode(found).count < 256 << 10)
        await test.library.stop()
    }

    @Test func o11_onlyPicturesAreShown() async throws {
        let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]
        let path = test.folder.path + "/picture.png"
        try Data(png + Array(repeating: 0, count: 100)).write(to: URL(filePath: path))
        try await test.origin.serve([
            "/picture": ["file": .text(path), "type": "text/html"],
            "/page": page("<script>alert(1)</script>"),
            "/svg": ["text": "<svg xmlns='http://www.w3.org/2000/svg'/>", "type": "image/svg+xml"],
            "/large": ["size": 3_145_728, "seed": 1, "type": "image/png"],
        ])
        let picture = try await test.library.picture(
            at: try test.origin.address("/picture"),
            of: try test.origin.address("/watch"),
            allowingPrivate: false
        )
        #expect((picture.mediaType, picture.bytes.count) == ("image/png", 112))
        #expect(try await test.origin.log().last?.header("Referer") == test.origin.base + "/watch")
        for path in ["/page", "/svg", "/large", "/missing"] {
            await #expect(throws: LibraryError.self, "\(path)") {
                try await test.library.picture(
                    at: try test.origin.address(path),
                    of: nil,
                    allowingPrivate: false
                )
            }
        }
        await test.library.stop()
    }
}
