// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct LibraryPauseTests {
    private let test: TestLibrary

    init() async throws {
        test = try TestLibrary()
        try await test.origin.serve([
            "/file": ["size": 4_000_000, "gate": "rest", "gateAfter": 1_000_000],
            "/other": ["text": "other"],
        ])
    }

    /// Starts a download and returns the item while the server pauses.
    private func running(_ path: String) async throws -> MediaItem {
        let progress = MessageRecorder(DownloadProgressed.self, on: test.library.messages)
        let item = try await test.library.enqueue(try test.request(path)).item
        await test.start()
        while try await progress.next().progress.receivedBytes < 1_000_000 {}
        return item
    }

    @Test func o8_aRunningDownloadPausesAndKeepsItsBytes() async throws {
        let item = try await running("/file")
        #expect(try await test.library.pause(item.id).state == .paused)
        let partial = test.library.directory.partialFile(of: item.id)
        #expect(SystemFile.size(of: partial) == 1_000_000)
        #expect(try await test.get("/other").state == .ready)
        #expect(try test.library.item(item.id).state == .paused)
        await test.library.stop()
    }

    @Test func o8_aPauseSurvivesARestartAndARetryContinues() async throws {
        let item = try await running("/file")
        _ = try await test.library.pause(item.id)
        await test.library.stop()
        try await test.origin.openGate("rest")
        let next = try TestLibrary(in: test.folder, origin: test.origin)
        #expect(try await next.get("/other").state == .ready)
        #expect(try next.library.item(item.id).state == .paused)
        let ends = MessageRecorder(DownloadCompleted.self, on: next.library.messages)
        #expect(try await next.library.retry(item.id).state == .queued)
        // The message about the item `/other` may be posted this late.
        var ended = try await ends.next().item
        while ended.id != item.id { ended = try await ends.next().item }
        #expect(ended.size == 4_000_000)
        let ranges = try await test.origin.log().filter { $0.path == "/file" }.map(\.range)
        #expect(ranges == [nil, "bytes=1000000-"])
        await next.library.stop()
    }

    @Test func anItemThatWaitsCanBePaused() async throws {
        let item = try await test.library.enqueue(try test.request("/other")).item
        #expect(try await test.library.pause(item.id).state == .paused)
        #expect(try await test.library.pause(item.id).state == .paused)
        await test.start()
        #expect(try test.library.item(item.id).state == .paused)
        await test.library.stop()
    }

    @Test func requestsForTheSameAddressDoNotEndAPause() async throws {
        let item = try await running("/file")
        let library = test.library
        let request = try test.request("/file")
        let paused = try await withThrowingTaskGroup(of: MediaItem?.self) { group in
            group.addTask { try await library.pause(item.id) }
            for _ in 0..<6 {
                group.addTask {
                    _ = try await library.enqueue(request)
                    return nil
                }
            }
            var paused: MediaItem?
            for try await result in group { paused = result ?? paused }
            return paused
        }
        #expect(paused?.state == .paused)
        // A request after the pause continues the item, and then the row has another state.
        let state = try library.item(item.id).state
        let isRunning = library.queueState.lastData?.running.contains(item.id) == true
        #expect(state == .paused ? !isRunning : true)
        await library.stop()
    }

    @Test func concurrentPausesAllSucceed() async throws {
        let item = try await running("/file")
        let library = test.library
        try await withThrowingTaskGroup(of: ItemState.self) { group in
            for _ in 0..<4 { group.addTask { try await library.pause(item.id).state } }
            for try await state in group { #expect(state == .paused) }
        }
        await library.stop()
    }

    @Test func aReadyItemCannotBePaused() async throws {
        let item = try await test.get("/other")
        let error = await #expect(throws: LibraryError.self) {
            try await test.library.pause(item.id)
        }
        #expect(error?.code == .notPausable)
        await test.library.stop()
    }
}
