// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import Testing
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

/// Tests of the settings' quality and languages in requests that do not name a choice.
@Suite(.timeLimit(.minutes(15)))
struct ChoiceInForceTests {
    private let test: TestLibrary

    init() async throws {
        test = try TestLibrary()
        _ = try await test.library.change([.quality: "480p", .audio: "de", .subtitles: "none"])
    }

    private func request(_ path: String, _ choice: RequestedChoice) throws -> DownloadRequest {
        DownloadRequest(.address(try test.origin.address(path)), choice: choice)
    }

    @Test func o22_aRequestThatNamesNothingHasTheChoiceOfTheSettings() async throws {
        let item = try await test.library.enqueue(request("/a", RequestedChoice())).item
        #expect(
            item.choice
                == MediaChoice(quality: .height(480), audio: .only(["deu"]), subtitles: .none)
        )
        await test.library.stop()
    }

    @Test func o22_whatARequestNamesHasPrecedence() async throws {
        let choice = try RequestedChoice(
            quality: "best",
            audio: nil,
            subtitles: "all",
            chapters: "2-4"
        )
        let item = try await test.library.enqueue(request("/a", choice)).item
        #expect(item.choice.quality == .best && item.choice.audio == .only(["deu"]))
        #expect(item.choice.subtitles == .all && item.choice.chapters?.description == "2-4")
        await test.library.stop()
    }

    @Test func o22_anItemKeepsItsChoiceWhenTheSettingsChange() async throws {
        let item = try await test.library.enqueue(request("/a", RequestedChoice())).item
        _ = try await test.library.change([.quality: "best"])
        #expect(try test.library.item(item.id).choice == item.choice)
        let named = try await test.library.enqueue(request("/a", RequestedChoice(item.choice)))
        #expect(named.item.id == item.id)
        let other = try await test.library.enqueue(request("/a", RequestedChoice())).item
        #expect(other.id != item.id && other.choice.quality == .best)
        await test.library.stop()
    }

    @Test func o22_aStoredRequestLeavesToTheSettingsWhatItDoesNotName() throws {
        let open = StoredRequest(try request("/a", RequestedChoice())).request
        #expect(open?.choice == RequestedChoice())
        let named = RequestedChoice(MediaChoice(quality: .audio))
        #expect(StoredRequest(try request("/a", named)).request?.choice == named)
    }
}
