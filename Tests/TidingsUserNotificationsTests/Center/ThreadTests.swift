// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Who waits for the disk, and where.
@Suite(.timeLimit(.minutes(5)))
struct ThreadTests {
    /// A store that does its work on threads of the caller's has a task there.
    @Test func promise3_aStoreWorksOnAQueueOfItsOwn() async throws {
        let place = try AttachmentPlace()
        let stores: [any NotificationStore] = [place.store, InMemoryNotificationStore()]
        for store in stores {
            let isElsewhere = try await store.update { _ in withUnsafeCurrentTask { $0 == nil } }
            #expect(isElsewhere)
        }
    }

    /// In a process of its own, whose threads nobody else holds.
    @Test func promise3_aDiskThatHangsHoldsUpNoThread() async throws {
        let place = try AttachmentPlace()
        try await place.store.update { $0.authorization = .granted }
        await #expect(processExitsWith: .success) {
            [path = place.path as String, picture = try place.put("picture") as String] in
            let bench = Bench(store: FileNotificationStore(path: path))
            _ = try await bench.add("listed")
            await bench.center.flush()
            // As another process does that hangs while it has the lock.
            let lock = open("\(path).lock", O_RDWR)
            if flock(lock, LOCK_EX) != 0 { exit(1) }
            let ended = Ended()
            let calls = ThreadTests.callAll(of: bench, picture, ended)
            ThreadTests.callAll(of: bench)
            // Nobody could do this if as many threads as there are waited for the disk.
            for _ in 0..<100 { await Task {}.value }
            if try await bench.add("shown", "shown") != .accepted() { exit(2) }
            if ended.count.withLock({ $0 }) != 0 { exit(3) }
            flock(lock, LOCK_UN)
            for call in calls { await call.value }
            await bench.center.flush()
        }
    }

    private final class Ended: Sendable {
        let count = Lock(0)
    }

    private static func callAll(
        of bench: Bench,
        _ picture: String,
        _ ended: Ended
    ) -> [Task<Void, Never>] {
        calls(of: bench, picture).map { call in
            Task {
                try? await call()
                ended.count.withLock { $0 += 1 }
            }
        }
    }

    /// Calls that need the disk, more of them than there are threads.
    private static func calls(
        of bench: Bench,
        _ picture: String
    ) -> [@Sendable () async throws -> Void] {
        let center = bench.center
        let kinds: [@Sendable () async throws -> Void] = [
            { try await bench.post("later", .after(.seconds(99))) },
            { try await bench.post("picture", picture: picture, .after(.seconds(99))) },
            { _ = await center.pending() },
            { try await center.removePending(["1"]) },
            { try await center.removeAllPending() },
            { try await center.setAuthorization(.granted) },
            { await center.flush() },
        ]
        return (0..<16).flatMap { _ in kinds }
    }

    /// Calls that return at once.
    private static func callAll(of bench: Bench) {
        let center = bench.center
        center.start()
        center.setCategories([])
        center.isInFront = true
        center.isInFront = false
        center.willPresent = { _ in .all }
        center.setBadge(3)
        center.markRead()
        center.remove(["listed", "picture"])
        center.removeDelivered(["listed"])
        center.removeAllDelivered()
        _ = try? center.respond(to: "listed")
        if center.badge() != 3 || !center.delivered().isEmpty { exit(4) }
        if center.unreadCount() != 0 || center.droppedCount() != 0 { exit(5) }
    }
}
