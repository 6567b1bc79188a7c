// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct SiteErrorTests {
    @Test(arguments: [
        ("ERROR: [DRM] The requested site is known to use DRM protection.", "(DRM)"),
        ("ERROR: [youtube] x: Sign in to confirm your age. Use --cookies", "proved their age"),
        ("ERROR: [youtube] x: Private video. Sign in if you've been granted access", "log-in"),
        ("ERROR: [x] This video is only available for registered users.", "log-in"),
        ("ERROR: [x] The uploader has not made this video available in your country", "country"),
        ("ERROR: [x] This video is geo restricted", "country"),
        ("ERROR: [youtube] x: Video unavailable. This video has been removed", "any more"),
        ("ERROR: [generic] Unable to download webpage: HTTP Error 404: Not Found", "any more"),
        ("ERROR: Unable to download webpage: HTTP Error 429: Too Many Requests", "limits"),
        ("ERROR: Unable to download webpage: The read operation timed out", "reached"),
        ("ERROR: [youtube] x: Premieres in 5 hours", "not published"),
        ("Traceback 0x7f12 /usr/lib/python3: KeyError", "newest version"),
        ("", "newest version"),
    ])
    func o27_itsWordsBecomeOurSentences(words: String, part: String) throws {
        let error = try #require(DownloadError(words: words, at: "a.example"))
        #expect(error.message.contains(part), "\(error.message)")
        #expect(error.message.contains("a.example"))
        #expect(!error.message.contains("ERROR"))
    }

    @Test func o27_cookiesThatItDoesNotGetAreNamed() {
        let words = "ERROR: [x] This video is only available for registered users."
        let error = DownloadError(words: words, at: "a.example", hasLogIn: true)
        #expect(error?.message.contains("yt-dlp does not get the cookies of an item") == true)
        #expect(error?.message.contains("address of the media itself") == true)
    }

    @Test func aSiteThatItDoesNotSupportHasNoErrorOfItsOwn() {
        #expect(DownloadError(words: "ERROR: Unsupported URL: https://x", at: "a.example") == nil)
    }

    @Test func onlyFailuresOfTheNetworkAreRepeated() {
        let timeout = DownloadError(words: "ERROR: timed out", at: "a.example")
        #expect(timeout?.isTransient == true)
        #expect(DownloadError(words: "ERROR: Private video", at: "a.example")?.isTransient == false)
    }
}
