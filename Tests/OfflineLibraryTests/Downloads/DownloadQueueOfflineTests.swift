// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Tidings
import TidingsHTTP
import TidingsTesting

@testable import OfflineLibrary

/// The queue while there is no network: names that no network knows stand for what is far.
@Suite(.timeLimit(.minutes(5)))
struct DownloadQueueOfflineTests {
    private let source = ManualConnectivity(.offline)
    private let test: TestLibrary
    private let waits: MessageRecorder<ItemChanged>
    private let failures: MessageRecorder<DownloadFailed>

    init() throws {
        let source = source
        test = try TestLibrary { configuration in
            configuration.connectivity = source
            configuration.retries = RetryPolicy(maximumTries: 2, firstDelay: .zero)
        }
        waits = MessageRecorder(ItemChanged.self, on: test.library.messages)
        failures = MessageRecorder(DownloadFailed.self, on: test.library.messages)
    }

    private func enqueueFar(_ count: Int) async throws -> [ItemID] {
        var ids: [ItemID] = []
        for number in 0..<count {
            let address = try WebAddress("http://far.invalid/\(number)")
            let result = try await test.library.enqueue(DownloadRequest(.address(address)))
            ids.append(result.item.id)
        }
        return ids
    }

    private func waiting(_ id: ItemID) -> String? {
        test.library.board.progress(of: id)?.waiting
    }

    /// Returns when so many items have gone back to their places for want of a network.
    private func someWait(_ count: Int) async throws {
        for _ in 0..<count { #expect(try await waits.next().item.state == .queued) }
    }

    private func start() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: test.library.messages)
        await test.start()
        _ = try await changes.next()
    }

    @Test func whatIsFarWaitsAndWhatIsNearTakesItsTurn() async throws {
        try await test.origin.serve(["/near.txt": ["text": "near"]])
        try await start()
        // More than run at once.
        let far = try await enqueueFar(DownloadQueue.limit + 1)
        try await someWait(far.count)
        for id in far {
            #expect(waiting(id) == "Offline: it goes on when the network is back.")
            #expect(try test.library.item(id).failure == nil)
        }
        #expect(try await test.get("/near.txt").state == .ready)
        #expect(failures.messages.isEmpty)
        await test.library.stop()
    }

    @Test func whatWaitsIsTriedAtOnceWhenTheNetworkIsBack() async throws {
        try await start()
        let far = try await enqueueFar(2)
        try await someWait(far.count)
        // Long before the longest pause is over; nobody knows the name there either.
        source.become(.online)
        var failed: Set<ItemID> = []
        for _ in far {
            let failure = try await failures.next()
            #expect(failure.error.code == .connection)
            #expect(failure.error.retries == 1)
            failed.insert(failure.item.id)
        }
        #expect(failed == Set(far))
        for id in far { #expect(waiting(id) == nil) }
        await test.library.stop()
    }

    @Test func whatTheQueueWorksOnIsPublished() async throws {
        try await start()
        let queue = test.library.queueState
        #expect(queue.lastData == QueueState())
        let far = try await enqueueFar(DownloadQueue.limit + 1)
        var mostAtOnce = 0
        for await state in queue.states {
            guard let state = state.data else { continue }
            mostAtOnce = max(mostAtOnce, state.running.count)
            if state == QueueState(waitingForNetwork: far) { break }
        }
        #expect(mostAtOnce <= DownloadQueue.limit)
        try await test.library.remove(far[0], withFile: false)
        let rest = QueueState(waitingForNetwork: Array(far.dropFirst()))
        for await state in queue.states where state.data == rest { break }
        await test.library.stop()
    }

    @Test func oneThatWaitsCanBeRemoved() async throws {
        try await start()
        let far = try await enqueueFar(1)
        try await someWait(1)
        try await test.library.remove(far[0], withFile: false)
        #expect(test.library.board.progress(of: far[0]) == nil)
        #expect(throws: LibraryError.self) { try test.library.item(far[0]) }
        await test.library.stop()
    }

    @Test func whatIsAskedForAgainIsTriedAgain() async throws {
        let starts = MessageRecorder(DownloadStarted.self, on: test.library.messages)
        try await start()
        // The last one began when another had ended.
        let far = try await enqueueFar(DownloadQueue.limit + 1)
        for _ in far { _ = try await starts.next() }
        #expect(try await enqueueFar(far.count) == far)
        _ = try await starts.next()
        await test.library.stop()
    }

    @Test func stoppingWaitsForNoNetwork() async throws {
        try await start()
        let far = try await enqueueFar(1)
        try await someWait(1)
        await test.library.stop()
        #expect(try test.library.item(far[0]).state == .queued)
    }
}
