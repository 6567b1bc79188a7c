// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct LibraryRenameTests {
    private func makeTest() async throws -> (TestLibrary, MediaItem) {
        let test = try TestLibrary()
        try SampleMedia.makeFile("one.mp4", in: test.folder.path)
        try await test.origin.serve(["/one.mp4": ["file": .text(test.folder.path + "/one.mp4")]])
        return (test, try await test.get("/one.mp4"))
    }

    @Test func o21_theFileIsFoundUnderTheNewTitle() async throws {
        let (test, item) = try await makeTest()
        let path = test.library.directory.mediaFile("one.de.vtt")
        try SystemFile.create(path, content: Data("WEBVTT\n".utf8))
        let renamed = try await test.library.rename(item.id, to: " A\u{7} film:\n part 1 ")
        #expect(renamed.title == "A film: part 1")
        #expect(test.mediaNames == ["A film- part 1.de.vtt", "A film- part 1.mp4"])
        #expect(try test.bytes(of: renamed).count == item.size.map(Int.init))
        let again = try await test.library.rename(item.id, to: "A film? part 1")
        #expect(again.title == "A film? part 1")
        #expect(test.mediaNames == ["A film part 1.de.vtt", "A film part 1.mp4"])
        await test.library.stop()
        let other = try TestLibrary(in: test.folder, origin: test.origin)
        #expect(try other.library.item(item.id) == again)
        await other.library.stop()
    }

    @Test(arguments: ["", " \n", "\u{200b}", String(repeating: "x", count: 121)])
    func aTitleMustHaveSomeCharactersAndNotTooMany(title: String) async throws {
        let (test, item) = try await makeTest()
        await #expect { try await test.library.rename(item.id, to: title) } throws: {
            ($0 as? LibraryError)?.code == .invalidTitle
        }
        #expect(try test.library.item(item.id).title == "one")
        let longest = String(repeating: "ß", count: Title.longest)
        #expect(try await test.library.rename(item.id, to: longest).title == longest)
        await test.library.stop()
    }

    @Test func o11_renamesAtTheSameTimeNeverShareAName() async throws {
        let (test, item) = try await makeTest()
        let library = test.library
        var request = try test.request("/one.mp4")
        request.again = true
        let other = try await test.get(request)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let id = number.isMultiple(of: 2) ? item.id : other.id
                    _ = try? await library.rename(id, to: "Title \(number % 3)")
                }
            }
        }
        let items = try [item.id, other.id].map { try library.item($0) }
        #expect(Set(items.compactMap(\.fileName)) == Set(test.mediaNames))
        #expect(test.mediaNames.count == 2)
        await library.stop()
    }

    @Test func anUnfinishedItemGetsTheTitleAlone() async throws {
        let test = try TestLibrary()
        let result = try await test.library.enqueue(try test.request("/one.mp4"))
        let renamed = try await test.library.rename(result.item.id, to: "A film")
        #expect(renamed.title == "A film")
        #expect(renamed.state == .queued)
        await #expect { try await test.library.rename(ItemID(rawValue: 9), to: "x") } throws: {
            ($0 as? LibraryError)?.code == .notFound
        }
        await test.library.stop()
    }
}
