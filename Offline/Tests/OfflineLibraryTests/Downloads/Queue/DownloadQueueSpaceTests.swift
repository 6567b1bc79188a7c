// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsLock
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel

/// Tests of the queue on a full disk with a free space that the test sets.
@Suite(.timeLimit(.minutes(15)))
struct DownloadQueueSpaceTests {
    private let free = FreeSpace(5 << 20)
    private let clock = ManualClock()
    private let test: TestLibrary
    private let pauses: MessageRecorder<DownloadPaused>
    private let ends: MessageRecorder<DownloadCompleted>

    init() async throws {
        let (free, clock) = (free, clock)
        test = try TestLibrary { configuration in
            configuration.clock = clock
            configuration.freeSpace = { _ in free.bytes }
        }
        pauses = MessageRecorder(DownloadPaused.self, on: test.library.messages)
        ends = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        try await test.origin.serve([
            "/large": ["size": 9_000_000, "type": "application/zip"],
            "/larger": ["size": 90_000_000, "type": "application/zip"],
            "/small": ["text": "small", "type": "text/plain"],
        ])
    }

    /// Starts a download and waits until the queue has paused the item and checks the space.
    private func pause(_ path: String) async throws -> MediaItem {
        _ = try await test.library.enqueue(try test.request(path))
        await test.start()
        let paused = try await pauses.next()
        try await clock.waitForSleepers()
        return paused.item
    }

    @Test func o9_anItemThatDoesNotFitIsPausedBeforeItsFirstByte() async throws {
        let item = try await pause("/large")
        #expect(item.state == .paused)
        #expect(item.failure?.code == "diskFull")
        #expect(item.failure?.message.contains("needs 9.0 MB more") == true)
        #expect(SystemFile.size(of: test.library.directory.partialFile(of: item.id)) ?? 0 == 0)
        await test.library.stop()
    }

    @Test func o9_theItemContinuesByItselfWhenSpaceIsBack() async throws {
        let item = try await pause("/large")
        clock.advance(by: .seconds(10))
        try await clock.waitForSleepers()
        #expect(try test.library.item(item.id).state == .paused)
        free.become(50 << 20)
        clock.advance(by: .seconds(10))
        #expect(try await ends.next().item.id == item.id)
        #expect(try test.library.item(item.id).failure == nil)
        await test.library.stop()
    }

    @Test func o9_aSmallerItemRunsMeanwhile() async throws {
        _ = try await pause("/larger")
        free.become(20 << 20)
        clock.advance(by: .seconds(10))
        let small = try await test.library.enqueue(try test.request("/small"))
        #expect(try await ends.next().item.id == small.item.id)
        await test.library.stop()
    }

    @Test func o9_anItemBehindAFullDiskSaysWhyItWaits() async throws {
        free.become(1 << 20)
        _ = try await pause("/large")
        let id = try await test.library.enqueue(try test.request("/small")).item.id
        func waiting() throws -> String? {
            test.library.representation(of: try test.library.item(id)).waiting
        }
        #expect(test.library.queueState.lastData?.isDiskFull == true)
        #expect(try waiting() == "The disk is full. Free some space, and this download begins.")
        free.become(50 << 20)
        clock.advance(by: .seconds(10))
        _ = try await ends.first(2)
        #expect(try waiting() == nil)
        #expect(test.library.queueState.lastData?.isDiskFull == false)
        await test.library.stop()
    }

    @Test func o9_theNextStartContinuesThePausedItem() async throws {
        let item = try await pause("/large")
        await test.library.stop()
        let free = free
        free.become(50 << 20)
        let next = try TestLibrary(in: test.folder, origin: test.origin) { configuration in
            configuration.freeSpace = { _ in free.bytes }
        }
        let ends = MessageRecorder(DownloadCompleted.self, on: next.library.messages)
        #expect(try next.library.item(item.id).state == .paused)
        await next.start()
        #expect(try await ends.next().item.id == item.id)
        await next.library.stop()
    }

    @Test func o9_aRemovalMakesSpaceAtOnce() async throws {
        let first = try await pause("/larger")
        let second = try await test.library.enqueue(try test.request("/large")).item
        free.become(50 << 20)
        try await test.library.remove(first.id, withFile: false)
        #expect(try await ends.next().item.id == second.id)
        await test.library.stop()
    }

    @Test func o8_aPauseByHandOutlastsTheFullDisk() async throws {
        let item = try await pause("/large")
        #expect(try await test.library.pause(item.id).failure == nil)
        free.become(50 << 20)
        let small = try await test.library.enqueue(try test.request("/small"))
        clock.advance(by: .seconds(10))
        #expect(try await ends.next().item.id == small.item.id)
        #expect(try test.library.item(item.id).state == .paused)
        await test.library.stop()
    }

    @Test func o8_aPauseOfAllOutlastsTheFullDisk() async throws {
        let item = try await pause("/large")
        #expect(try await CommonAction.pause.perform(in: test.library) == 1)
        #expect(try test.library.item(item.id).failure == nil)
        free.become(50 << 20)
        let small = try await test.library.enqueue(try test.request("/small"))
        clock.advance(by: .seconds(10))
        #expect(try await ends.next().item.id == small.item.id)
        #expect(try test.library.item(item.id).state == .paused)
        #expect(try await CommonAction.pause.perform(in: test.library) == 0)
        await test.library.stop()
    }

    @Test func aRequestRetriesAPausedItemAtOnce() async throws {
        let item = try await pause("/large")
        free.become(50 << 20)
        #expect(try await test.library.retry(item.id).state == .queued)
        #expect(try await ends.next().item.id == item.id)
        await test.library.stop()
    }
}

/// The free bytes of a disk.
private final class FreeSpace: Sendable {
    private let value: Lock<Int64>

    init(_ bytes: Int64) { value = Lock(bytes) }

    var bytes: Int64 { value.withLock { $0 } }

    func become(_ bytes: Int64) { value.withLock { $0 = bytes } }
}
