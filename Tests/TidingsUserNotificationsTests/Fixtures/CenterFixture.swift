// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsTesting
import TidingsUserNotifications
import TidingsUserNotificationsTesting

/// A center with recorders for its messages and a manual clock.
struct CenterFixture: Sendable {
    typealias Question =
        @Sendable (UserNotificationAuthorizationOptions) async -> AuthorizationAnswer?

    let messages: MessageCenter
    let clock: ManualNotificationClock
    /// The backend, unless the test passes another one.
    let backend: UserNotificationInMemoryBackend
    let responses: MessageRecorder<UserNotificationResponse>
    let changes: MessageRecorder<UserNotificationListChanged>
    let closes: MessageRecorder<UserNotificationClosed>
    let center: UserNotificationCenter

    /// Creates a center with the in-memory backend.
    init(
        store: some NotificationStore = InMemoryNotificationStore(.granted),
        clock: ManualNotificationClock = ManualNotificationClock(),
        question: @escaping Question = { _ in nil }
    ) {
        let backend = UserNotificationInMemoryBackend()
        self.init(
            backend: backend,
            inMemory: backend,
            store: store,
            clock: clock,
            question: question
        )
    }

    /// Creates a center with a backend of the test.
    init(
        backend: ScriptedBackend,
        store: some NotificationStore = InMemoryNotificationStore(.granted),
        clock: ManualNotificationClock = ManualNotificationClock()
    ) {
        self.init(
            backend: backend,
            inMemory: UserNotificationInMemoryBackend(),
            store: store,
            clock: clock
        ) { _ in nil }
    }

    private init(
        backend: some NotificationBackend,
        inMemory: UserNotificationInMemoryBackend,
        store: some NotificationStore,
        clock: ManualNotificationClock,
        question: @escaping Question
    ) {
        messages = MessageCenter()
        self.clock = clock
        self.backend = inMemory
        responses = MessageRecorder(on: messages)
        changes = MessageRecorder(on: messages)
        closes = MessageRecorder(on: messages)
        center = UserNotificationCenter(
            application: .init(id: "org.example.Test", name: "Test"),
            backend: backend,
            messages: messages,
            store: store,
            clock: clock,
            question: question
        )
    }

    /// Adds a notification and returns the outcome.
    func add(_ identifier: String, _ title: String = "") async throws -> UserNotificationOutcome {
        try await post(identifier, title).outcome
    }

    func post(_ identifier: String, _ title: String = "") async throws -> UserNotificationReceipt {
        try await center.add(.init(identifier: identifier, content: .init(title: title)))
    }

    /// Adds a scheduled request.
    @discardableResult
    func post(
        _ identifier: String,
        _ trigger: UserNotificationTrigger,
        _ policy: UserNotificationOverduePolicy = .deliver
    ) async throws -> UserNotificationReceipt {
        try await center.add(
            .init(
                identifier: identifier,
                content: .init(title: identifier),
                trigger: trigger,
                ifOverdue: policy
            )
        )
    }

    /// Waits until a number of notifications is delivered.
    func waitForDelivered(_ count: Int) async throws {
        while center.delivered().count < count { _ = try await changes.next() }
    }

    var deliveredTitles: [String] { center.delivered().map(\.content.title) }
    var shownTitles: [String] { backend.shown.map(\.content.title) }
}
