// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock

@testable import TidingsUserNotifications

/// The threads that wait for the disk.
@Suite(.timeLimit(.minutes(15)))
struct ThreadTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// A store runs on a queue, and code on a queue has no current task.
    ///
    /// Code on a thread of the concurrency runtime has a current task.
    @Test func n3_aStoreWorksOnAQueueOfItsOwn() async throws {
        let stores: [any NotificationStore] = [folder.store, InMemoryNotificationStore()]
        for store in stores {
            let isElsewhere = try await store.update { _ in withUnsafeCurrentTask { $0 == nil } }
            #expect(isElsewhere)
        }
    }

    /// A test in a separate process, in which other tests hold no threads.
    @Test func n3_aHangingDiskBlocksNoThread() async throws {
        try await folder.store.update { $0.authorization = .granted }
        await #expect(processExitsWith: .success) {
            [path = folder.storePath as String, picture = try folder.put("picture") as String] in
            let fixture = CenterFixture(store: FileNotificationStore(path: path))
            _ = try await fixture.add("listed")
            await fixture.center.flush()
            // The lock stands for another process that hangs while holding the lock.
            let lock = open("\(path).lock", O_RDWR)
            if flock(lock, LOCK_EX) != 0 { exit(1) }
            let finished = Counter()
            let calls = ThreadTests.callAll(of: fixture, picture, finished)
            ThreadTests.callAll(of: fixture)
            // The loop could not finish if every thread of the runtime waited for the disk.
            for _ in 0..<100 { await Task {}.value }
            if try await fixture.add("shown", "shown") != .accepted() { exit(2) }
            if finished.count.withLock({ $0 }) != 0 { exit(3) }
            flock(lock, LOCK_UN)
            for call in calls { await call.value }
            await fixture.center.flush()
        }
    }

    private final class Counter: Sendable {
        let count = Lock(0)
    }

    private static func callAll(
        of fixture: CenterFixture,
        _ picture: String,
        _ finished: Counter
    ) -> [Task<Void, Never>] {
        calls(of: fixture, picture).map { call in
            Task {
                try? await call()
                finished.count.withLock { $0 += 1 }
            }
        }
    }

    /// Returns calls that need the disk, as many of each kind as there are threads.
    private static func calls(
        of fixture: CenterFixture,
        _ picture: String
    ) -> [@Sendable () async throws -> Void] {
        let center = fixture.center
        let kinds: [@Sendable () async throws -> Void] = [
            { try await fixture.post("later", .after(.seconds(99))) },
            { try await fixture.post("picture", picture: picture, .after(.seconds(99))) },
            { _ = await center.pending() },
            { try await center.removePending(["1"]) },
            { try await center.removePending() },
            { try await center.setAuthorization(.granted) },
            { await center.flush() },
        ]
        return (0..<ProcessInfo.processInfo.activeProcessorCount).flatMap { _ in kinds }
    }

    /// Makes calls that return immediately.
    private static func callAll(of fixture: CenterFixture) {
        let center = fixture.center
        center.start()
        center.setCategories([])
        center.isInFront = true
        center.isInFront = false
        center.willPresent = { _ in .all }
        center.setBadge(3)
        center.markRead()
        center.remove(["listed", "picture"])
        center.removeDelivered(["listed"])
        center.removeDelivered()
        _ = try? center.respond(to: "listed")
        if center.badge() != 3 || !center.delivered().isEmpty { exit(4) }
        if center.unreadCount() != 0 { exit(5) }
    }
}
