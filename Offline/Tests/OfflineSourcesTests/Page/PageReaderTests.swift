// SPDX-License-Identifier: Apache-2.0
import OfflineSources
import OfflineTestFixtures
import Testing
import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct PageReaderTests {
    @Test(arguments: PageSample.elements + PageSample.descriptions + PageSample.players)
    func theMediaOfAPlayerAreFound(sample: PageSample) throws {
        let found = try contents(sample.html).candidates.map(\.media.address.text)
        #expect(found == sample.media)
    }

    @Test func theFormsOfOneVideoAreAlternatives() throws {
        let page = try contents(PageSample.elements[1].html)
        let candidate = try #require(page.candidates.first)
        #expect(candidate.media.height == 1_080)
        #expect(candidate.alternatives.map(\.format) == [.video, .video])
        #expect(candidate.subtitles.map(\.language) == ["en"])
    }

    @Test func aDescriptionAddsItsTitlePictureAndDuration() throws {
        let page = try contents(PageSample.descriptions[2].html)
        let candidate = try #require(page.candidates.first)
        #expect(candidate.title == "Reef")
        #expect(candidate.duration == 90)
        #expect(candidate.picture?.text == "https://site.example/t.jpg")
    }

    @Test func theTitleIsTheSharedOneWithoutTheSite() throws {
        let page = try contents(
            """
            <title>Written</title><meta property=og:site_name content=Site>
            <meta property=og:title content='Coral &amp; Reef | Site'>
            """
        )
        #expect(page.title == "Coral & Reef")
    }

    @Test func aBaseChangesRelativeAddresses() throws {
        let page = try contents("<base href='https://cdn.example/b/'><video src=x.mp4></video>")
        #expect(page.candidates.map(\.media.address.text) == ["https://cdn.example/b/x.mp4"])
    }

    @Test(arguments: ["file:///etc/x.mp4", "ftp://h/x.mp4", "javascript:x.mp4", "x://h/y.mp4"])
    func onlyWebAddressesAreOffered(address: String) throws {
        #expect(try contents("<video src='\(address)'></video>").candidates.isEmpty)
    }

    @Test func addressesOfTheBrowserAreCounted() throws {
        let page = try contents("<video src='blob:https://site.example/7'></video>")
        #expect(page.candidates.isEmpty)
        #expect(page.browserAddresses == 1)
    }

    @Test(arguments: ["{drm: {servers: {'com.x': 'y'}}}", "{system: 'com.widevine.alpha'}"])
    func copyProtectionIsNoticed(settings: String) throws {
        #expect(try contents("<script>p.configure(\(settings))</script>").namesProtection)
    }

    @Test func framesAndFeedsAreOffered() throws {
        let page = try contents(
            """
            <iframe src='https://player.example/embed/7' allowfullscreen></iframe>
            <iframe src='https://count.example/pixel'></iframe>
            <link rel=alternate type=application/rss+xml href=/feed>
            """
        )
        #expect(page.players.map(\.text) == ["https://player.example/embed/7"])
        #expect(page.feeds.map(\.text) == ["https://site.example/feed"])
    }

    @Test func anAdvertisementIsTheLastCandidate() throws {
        let page = try contents(
            "<video src=/ads/spot.mp4></video><video src=/v/trailer.mp4></video><video src=/a.mp4>"
        )
        #expect(page.candidates.map(\.isDecoration) == [false, true, true])
        #expect(page.candidates.first?.media.address.path == "/a.mp4")
    }

    @Test func pagesHaveAtMost64Candidates() throws {
        let links = (0..<2_000).map { "<a href=/clip\($0)x.mp4>\($0)</a>" }.joined()
        #expect(try contents(links).candidates.count == 64)
    }
}

/// Returns the media of a page at `https://site.example/watch/film.html`.
func contents(_ html: String) throws -> PageContents {
    try contents(Array(html.utf8), charset: "utf-8")
}

/// Returns the media of the bytes of a page.
func contents(_ bytes: [UInt8], charset: String? = nil) throws -> PageContents {
    PageReader.contents(
        of: bytes,
        charset: charset,
        at: try WebAddress("https://site.example/watch/film.html")
    )
}
