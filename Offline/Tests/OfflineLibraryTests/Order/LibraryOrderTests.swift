// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct LibraryOrderTests {
    private let test: TestLibrary

    init() async throws {
        test = try TestLibrary()
        try await test.origin.serve([
            "/gated": ["size": 100_000, "gate": "rest", "gateAfter": 1_000],
            "/1": ["text": "1"], "/2": ["text": "2"], "/3": ["text": "3"],
        ])
        _ = try await test.library.change([.downloads: "1"])
    }

    private func enqueue(_ paths: String...) async throws -> [ItemID] {
        var ids: [ItemID] = []
        for path in paths { ids.append(try await test.library.enqueue(test.request(path)).item.id) }
        return ids
    }

    @Test func o22_theFirstOfTheQueueStartsNext() async throws {
        let starts = MessageRecorder(DownloadStarted.self, on: test.library.messages)
        let ids = try await enqueue("/1", "/2", "/3")
        #expect(try await test.library.move(ids[2], to: .top).position == 0)
        let changed = MessageRecorder(ItemChanged.self, on: test.library.messages)
        _ = try await test.library.move(ids[0], to: .down)
        #expect(
            Set([try await changed.next().item.id, try await changed.next().item.id]) == [
                ids[0], ids[1],
            ]
        )
        await test.start()
        var order: [ItemID] = []
        for _ in ids { order.append(try await starts.next().item.id) }
        #expect(order == [ids[2], ids[1], ids[0]])
        await test.library.stop()
    }

    @Test func theErrorNamesTheItemThatDoesNotWait() async throws {
        let ids = try await enqueue("/1", "/2")
        _ = try await test.library.pause(ids[0])
        let error = await #expect(throws: LibraryError.self) {
            try await test.library.move(ids[1], to: .before(ids[0]))
        }
        #expect(error?.code == .notQueued && error?.message.contains("Item \(ids[0])") == true)
        await test.library.stop()
    }

    @Test func onlyAQueuedItemCanBeMoved() async throws {
        let item = try await test.get("/1")
        let error = await #expect(throws: LibraryError.self) {
            try await test.library.move(item.id, to: .top)
        }
        #expect(error?.code == .notQueued)
        await test.library.stop()
    }

    @Test func o22_allDownloadsArePausedAndResumed() async throws {
        let ids = try await enqueue("/gated", "/1", "/2")
        await test.start()
        try await test.origin.waitForRequests(atGate: "rest")
        #expect(try await CommonAction.pause.perform(in: test.library) == 3)
        for id in ids { #expect(try test.library.item(id).state == .paused) }
        #expect(try await CommonAction.pause.perform(in: test.library) == 0)
        try await test.origin.openGate("rest")
        let ready = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        #expect(try await CommonAction.resume.perform(in: test.library) == 3)
        for _ in ids { _ = try await ready.next() }
        await test.library.stop()
    }

    @Test func allFailedItemsAreRetried() async throws {
        #expect(try await test.get("/none").state == .failed)
        let paused = try await enqueue("/gated")[0]
        _ = try await test.library.pause(paused)
        try await test.origin.serve(["/none": ["text": "now"]])
        let ready = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        #expect(try await CommonAction.retry.perform(in: test.library) == 1)
        #expect(try await ready.next().item.failure == nil)
        #expect(try test.library.item(paused).state == .paused)
        await test.library.stop()
    }

    @Test func aCancelledDownloadLeavesNothingBehind() async throws {
        let id = try await enqueue("/gated")[0]
        await test.start()
        try await test.origin.waitForRequests(atGate: "rest")
        try await test.library.cancel(id)
        #expect(throws: LibraryError.self) { try test.library.item(id) }
        #expect(!SystemFile.exists(test.library.directory.work(of: id)))
        let ready = try await test.get("/1")
        let error = await #expect(throws: LibraryError.self) {
            try await test.library.cancel(ready.id)
        }
        #expect(error?.code == .notCancellable)
        #expect(try test.bytes(of: ready).count == 1)
        await test.library.stop()
    }
}
