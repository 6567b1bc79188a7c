// SPDX-License-Identifier: Apache-2.0
// The code of the article "Testing without a desktop".
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications
import TidingsUserNotificationsTesting

/// The part of a program that is tested.
struct TeaTimer {
    let notifications: UserNotificationCenter

    func start() async throws {
        notifications.setCategories([
            UserNotificationCategory("TEA", actions: [.init("again", title: "Another cup")])
        ])
        try await brew()
    }

    func brew() async throws {
        let content = UserNotificationContent(title: "The tea is ready", category: "TEA")
        try await notifications.add(
            .init(identifier: "tea", content: content, trigger: .after(.seconds(240)))
        )
    }
}

@Suite(.timeLimit(.minutes(5)))
struct TeaTests {
    private let messages = MessageCenter()
    private let clock = ManualNotificationClock()
    private let backend = UserNotificationInMemoryBackend()
    private let store = UserNotificationStore.inMemory

    private func makeCenter() async throws -> UserNotificationCenter {
        let notifications = UserNotificationCenter(
            application: .init(id: "org.example.Tea", name: "Tea"),
            backend: .inMemory(backend),
            messages: messages,
            store: store,
            clock: clock
        ) { _ in true }
        try await notifications.requestAuthorization()
        return notifications
    }

    @Test func theTeaIsReadyAfterFourMinutes() async throws {
        let notifications = try await makeCenter()
        let delivered = MessageRecorder(UserNotificationListChanged.self, on: messages)
        try await TeaTimer(notifications: notifications).start()
        #expect(await notifications.pending().map(\.request.identifier) == ["tea"])
        clock.advance(by: .seconds(240))
        #expect(try await delivered.next().unreadCount == 1)
        #expect(await notifications.pending().isEmpty)
    }

    @Test func anotherCupIsBrewed() async throws {
        let notifications = try await makeCenter()
        let timer = TeaTimer(notifications: notifications)
        let brewing = Gate()
        let token = messages.observe(UserNotificationResponse.self) { response in
            guard response.action == .custom("again") else { return }
            Task {
                try await timer.brew()
                brewing.open()
            }
        }
        let delivered = MessageRecorder(UserNotificationListChanged.self, on: messages)
        try await timer.start()
        clock.advance(by: .seconds(240))
        _ = try await delivered.next()
        try notifications.respond(to: "tea", .custom("again"))
        try await brewing.wait()
        #expect(await notifications.pending().map(\.request.identifier) == ["tea"])
        token.cancel()
    }

    @Test func overdueTeaIsAnnouncedOnce() async throws {
        var request = UserNotificationRequest(identifier: "tea", content: .init(title: "Tea"))
        request.trigger = .after(.seconds(240))
        let notifications = try await makeCenter()
        let delivered = MessageRecorder(UserNotificationListChanged.self, on: messages)
        try await notifications.add(request)
        // A laptop is closed for an hour.
        clock.advance(by: .seconds(3_600))
        _ = try await delivered.next()
        #expect(notifications.delivered().map(\.isOverdue) == [true])
    }

    @Test func withoutADaemonTheTeaIsListed() async throws {
        let notifications = try await makeCenter()
        backend.setUnavailable("No daemon runs.")
        let request = UserNotificationRequest(identifier: "tea", content: .init(title: "Tea"))
        let receipt = try await notifications.add(request)
        #expect(await receipt.outcome == .unavailable("No daemon runs."))
        #expect(notifications.delivered().map(\.identifier) == ["tea"])
    }
}
