// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import Testing
import TidingsFiles
import TidingsSQLite
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineLibrary
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct LibraryTests {
    @Test func o18_concurrentRequestsCreateOneItem() async throws {
        let test = try TestLibrary()
        let queued = MessageRecorder(DownloadQueued.self, on: test.library.messages)
        for number in 0..<20 {
            let request = try test.request("/\(number)")
            let ids = try await withThrowingTaskGroup(of: ItemID.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await test.library.enqueue(request).item.id }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        }
        #expect(queued.messages.count == 20)
        await test.library.stop()
    }

    @Test func o11_anExistingFileIsNotOverwritten() async throws {
        let test = try TestLibrary()
        let mine = test.library.directory.mediaFile("a.txt")
        try "mine".write(toFile: mine, atomically: true, encoding: .utf8)
        try await test.origin.serve(["/a.txt": ["text": "theirs"]])
        let item = try await test.get("/a.txt")
        #expect(item.state == .ready)
        #expect(try test.bytes(of: item) == Data("theirs".utf8))
        #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
        await test.library.stop()
    }

    @Test func o2_anUnreadableRegistryPreservesTheWorkFolders() async throws {
        let test = try TestLibrary()
        let id = try await test.library.enqueue(try test.request("/a")).item.id
        let directory = test.library.directory
        try SystemFile.makeFolder(directory.work(of: id))
        let connection = try SQLiteConnection(path: directory.registry, mode: .readWriteCreate)
        try connection.execute("ALTER TABLE items RENAME TO gone")
        await test.start()
        #expect(SystemFile.names(in: directory.work) == [id.description])
        await test.library.stop()
    }

    @Test func aStartAfterTheStopDownloadsNothing() async throws {
        let test = try TestLibrary()
        _ = try await test.library.enqueue(try test.request("/a"))
        await test.library.stop()
        await test.start()
        #expect(try await test.requests().isEmpty)
    }

    @Test func aStopDuringTheStartKeepsTheItem() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/a": ["text": "a"]])
        _ = try await test.library.enqueue(try test.request("/a"))
        async let start: Void = test.start()
        await test.library.stop()
        await start
        let later = try TestLibrary(in: test.folder, origin: test.origin)
        #expect(try await later.get("/a").state == .ready)
        await later.library.stop()
    }
}
