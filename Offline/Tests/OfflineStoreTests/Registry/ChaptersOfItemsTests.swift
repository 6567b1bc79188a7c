// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct ChaptersOfItemsTests {
    private let folder: TemporaryFolder
    private let registry: Registry

    init() throws {
        folder = try TemporaryFolder()
        registry = try Registry(path: folder.path + "/registry.sqlite")
    }

    @Test func o1_theChaptersOfAnItemAreStoredUntilItsRemoval() throws {
        let request = DownloadRequest(.address(try WebAddress("https://a.example/f")))
        let item = try registry.insert(request, title: "A", at: Date())
        let other = try registry.insert(request, title: "B", at: Date())
        let chapters = [Chapter(start: 0, title: "One"), Chapter(start: 2.5, title: "Two")]
        try registry.files.setChapters(chapters, of: item.id)
        try registry.files.setChapters([Chapter(start: 0, title: "Other")], of: other.id)
        #expect(try registry.files.chapters(of: item.id) == chapters)
        try registry.files.setChapters([chapters[1]], of: item.id)
        #expect(try registry.files.chapters(of: item.id) == [chapters[1]])
        try registry.remove(item.id)
        #expect(try registry.files.chapters(of: item.id).isEmpty)
        try registry.files.setChapters(chapters, of: item.id)
        #expect(try registry.files.chapters(of: item.id).isEmpty)
        #expect(try registry.files.chapters(of: other.id).map(\.title) == ["Other"])
    }
}
