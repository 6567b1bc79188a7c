// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsHTTP
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources

/// Tests of the queue without a network.
///
/// Host names that do not exist represent remote servers.
@Suite(.timeLimit(.minutes(15)))
struct DownloadQueueOfflineTests {
    private let source = ManualConnectivity(.offline)
    private let test: TestLibrary
    private let changes: MessageRecorder<ItemChanged>
    private let failures: MessageRecorder<DownloadFailed>

    init() throws {
        let source = source
        test = try TestLibrary { configuration in
            configuration.connectivity = source
            configuration.retries = DownloadRetryPolicy(maximumTries: 2, firstDelay: .zero)
        }
        changes = MessageRecorder(ItemChanged.self, on: test.library.messages)
        failures = MessageRecorder(DownloadFailed.self, on: test.library.messages)
    }

    private func enqueueRemote(_ count: Int) async throws -> [ItemID] {
        var ids: [ItemID] = []
        for number in 0..<count {
            let address = try WebAddress("http://remote.invalid/\(number)")
            let result = try await test.library.enqueue(DownloadRequest(.address(address)))
            ids.append(result.item.id)
        }
        return ids
    }

    private func waiting(_ id: ItemID) -> String? {
        test.library.progress.progress(of: id)?.waiting
    }

    /// Waits until a number of items is queued again without a network.
    private func waitForQueued(_ count: Int) async throws {
        var queued = 0
        while queued < count {
            if try await changes.next().item.state == .queued { queued += 1 }
        }
    }

    private func start() async {
        await test.start()
        for await state in test.library.connectivity.state.states.values where state.isOffline {
            break
        }
    }

    @Test func remoteItemsWaitWhileLocalOnesRun() async throws {
        try await test.origin.serve(["/local.txt": ["text": "local"]])
        await start()
        // The queue cannot run this many items simultaneously.
        let remote = try await enqueueRemote(PlaceCount.automatic.lowerBound + 1)
        try await waitForQueued(remote.count)
        for id in remote {
            #expect(waiting(id) == "Offline. The download continues when the network is back.")
            #expect(try test.library.item(id).failure == nil)
        }
        #expect(try await test.get("/local.txt").state == .ready)
        #expect(failures.messages.isEmpty)
        await test.library.stop()
    }

    @Test func waitingItemsAreRetriedAtOnceWhenTheNetworkIsBack() async throws {
        await start()
        let remote = try await enqueueRemote(2)
        try await waitForQueued(remote.count)
        // The longest delay is far from over. The host does not exist, so the retries fail.
        source.become(.online)
        var failed: Set<ItemID> = []
        for _ in remote {
            let failure = try await failures.next()
            #expect(failure.error.code == .connection)
            #expect(failure.error.retries == 1)
            failed.insert(failure.item.id)
        }
        #expect(failed == Set(remote))
        for id in remote { #expect(waiting(id) == nil) }
        await test.library.stop()
    }

    @Test func theQueueStateIsPublished() async throws {
        await start()
        let queue = test.library.queueState
        #expect(queue.lastData == QueueState())
        let remote = try await enqueueRemote(PlaceCount.automatic.lowerBound + 1)
        var mostAtOnce = 0
        for await state in queue.states.values {
            guard let state = state.value else { continue }
            mostAtOnce = max(mostAtOnce, state.running.count)
            if state == QueueState(waitingForNetwork: remote) { break }
        }
        #expect(mostAtOnce <= PlaceCount.automatic.lowerBound)
        try await test.library.remove(remote[0], withFile: false)
        let rest = QueueState(waitingForNetwork: Array(remote.dropFirst()))
        for await state in queue.states.values where state.value == rest { break }
        await test.library.stop()
    }

    @Test func aWaitingItemCanBeRemoved() async throws {
        await start()
        let remote = try await enqueueRemote(1)
        try await waitForQueued(1)
        try await test.library.remove(remote[0], withFile: false)
        #expect(test.library.progress.progress(of: remote[0]) == nil)
        #expect(throws: LibraryError.self) { try test.library.item(remote[0]) }
        await test.library.stop()
    }

    @Test func aRepeatedRequestRetriesAWaitingItem() async throws {
        let starts = MessageRecorder(DownloadStarted.self, on: test.library.messages)
        await start()
        // The last item starts after the first failure.
        let remote = try await enqueueRemote(PlaceCount.automatic.lowerBound + 1)
        for _ in remote { _ = try await starts.next() }
        #expect(try await enqueueRemote(remote.count) == remote)
        _ = try await starts.next()
        await test.library.stop()
    }

    @Test func stoppingDoesNotWaitForTheNetwork() async throws {
        await start()
        let remote = try await enqueueRemote(1)
        try await waitForQueued(1)
        await test.library.stop()
        #expect(try test.library.item(remote[0]).state == .queued)
    }
}
