// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(5)))
struct FlushTests {
    @Test func whatWasDoneBeforeAFlushIsInTheStoreAfterIt() async throws {
        let store = InMemoryNotificationStore(.granted)
        let bench = Bench(store: store)
        for number in 1...20 {
            _ = try await bench.add("\(number)")
        }
        await bench.center.flush()
        #expect(await store.read().delivered.count == 20)
        // From many threads at once: each waits for its own.
        await withTaskGroup { group in
            for number in 1...20 {
                group.addTask {
                    bench.center.remove(["\(number)"])
                    await bench.center.flush()
                    let left = await store.read().delivered.map(\.notification.identifier)
                    #expect(!left.contains("\(number)"))
                }
            }
        }
        bench.center.setBadge(3)
        await bench.center.flush()
        #expect(await store.read().badge == 3)
    }

    @Test func aFlushThatCannotWriteSaysSoAndEnds() async throws {
        let store = WatchedStore()
        let bench = Bench(store: store)
        _ = try await bench.add("1")
        await bench.center.flush()
        let failures = MessageRecorder<NotificationStoreFailed>(on: bench.messages)
        store.setFull(true)
        bench.center.markRead()
        await bench.center.flush()
        #expect(try await failures.next().error.code == .storeFailed)
        store.setFull(false)
        await bench.center.flush()
        #expect(try await store.read().delivered.map(\.notification.isRead) == [true])
    }
}
