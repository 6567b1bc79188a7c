// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
struct FlushTests {
    @Test func aFlushWritesAllEarlierChanges() async throws {
        let store = InMemoryNotificationStore(.granted)
        let fixture = CenterFixture(store: store)
        for number in 1...20 {
            _ = try await fixture.add("\(number)")
        }
        await fixture.center.flush()
        #expect(await store.read().delivered.count == 20)
        // The tasks run simultaneously, and each task waits for a separate change.
        await withTaskGroup { group in
            for number in 1...20 {
                group.addTask {
                    fixture.center.remove(["\(number)"])
                    await fixture.center.flush()
                    let left = await store.read().delivered.map(\.notification.identifier)
                    #expect(!left.contains("\(number)"))
                }
            }
        }
        fixture.center.setBadge(3)
        await fixture.center.flush()
        #expect(await store.read().badge == 3)
    }

    @Test func aFailedFlushPostsTheErrorAndReturns() async throws {
        let store = ScriptedStore()
        let fixture = CenterFixture(store: store)
        _ = try await fixture.add("1")
        await fixture.center.flush()
        let failures = MessageRecorder<UserNotificationStoreFailed>(on: fixture.messages)
        store.setFull(true)
        fixture.center.markRead()
        await fixture.center.flush()
        #expect(try await failures.next().error.code == .storeFailed)
        store.setFull(false)
        await fixture.center.flush()
        #expect(try await store.read().delivered.map(\.notification.isRead) == [true])
    }
}
