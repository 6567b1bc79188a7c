// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsTesting
import TidingsUserNotifications

/// A started backend, and everything that an attempt observes of this backend.
struct NotificationBackendFixture: Sendable {
    /// An event of the backend, as a message for the recorder.
    struct ReportedEvent: Message {
        let event: NotificationBackendEvent
    }

    let backend: any NotificationBackend
    let person: any NotificationPerson
    private let events: MessageRecorder<ReportedEvent>
    private let center = MessageCenter()
    private let attempt: NotificationBackendContract.Attempt
    private let limit: Duration

    init(
        _ attempt: NotificationBackendContract.Attempt,
        _ limit: Duration,
        _ backend: any NotificationBackend,
        _ person: any NotificationPerson
    ) {
        self.attempt = attempt
        self.limit = limit
        self.backend = backend
        self.person = person
        events = MessageRecorder(on: center)
        backend.introduce(.init(id: "org.example.Contract", name: "Contract"))
        backend.start { [center] in center.post(ReportedEvent(event: $0)) }
    }

    /// Creates a fixture for another backend in the same attempt.
    func with(
        _ backend: any NotificationBackend,
        _ person: any NotificationPerson
    ) -> NotificationBackendFixture {
        NotificationBackendFixture(attempt, limit, backend, person)
    }

    func notification(
        _ identifier: String,
        _ number: Int,
        content: UserNotificationContent,
        actions: [UserNotificationAction] = []
    ) -> UserNotification {
        UserNotification(
            id: NotificationDelivery(identifier: identifier, number: number),
            content: content,
            actions: actions,
            date: Date()
        )
    }

    /// Shows a notification that the backend must accept.
    @discardableResult
    func show(
        _ notification: UserNotification
    ) async throws -> (degraded: UserNotificationFeatures, handle: NotificationHandle?) {
        let result = await backend.show(notification)
        guard case .accepted(let degraded, let handle) = result else {
            throw broken("“\(notification.identifier)” was not accepted: \(result).")
        }
        return (degraded, handle)
    }

    /// Waits until exactly the notifications with these titles are visible.
    func expectSeen(_ titles: [String]) async throws {
        try await expectSeen("\(titles)") { $0.map(\.title).sorted() == titles.sorted() }
    }

    /// Waits until the visible notifications satisfy `isExpected`.
    ///
    /// The visible notifications change with calls of the backend, which
    /// ``NotificationPerson/seen()`` includes, and with events of the backend. So the function
    /// checks immediately, after each event, and when the limit has passed.
    func expectSeen(
        _ text: String,
        _ isExpected: ([NotificationSight]) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        var isLate = false
        while true {
            // Count before the check, so that the wait misses no event.
            let count = events.messages.count
            let seen = try await person.seen()
            if isExpected(seen) { return }
            if isLate { throw broken("Expected \(text) to be visible, but found: \(seen).") }
            isLate = try await !waitForEvent(at: count, until: deadline)
        }
    }

    /// Waits for the event at an index, or returns false if the deadline passes first.
    private func waitForEvent(
        at index: Int,
        until deadline: ContinuousClock.Instant
    ) async throws -> Bool {
        do {
            _ = try await within(ContinuousClock.now.duration(to: deadline)) { [events] in
                try await events.element(at: index)
            }
            return true
        } catch let error as TidingsTestingError where error.code == .timedOut {
            return false
        }
    }

    /// Returns the next event that satisfies `isExpected` and skips the events before it.
    func next(
        _ text: String,
        _ isExpected: @escaping @Sendable (NotificationBackendEvent) -> Bool
    ) async throws -> NotificationBackendEvent {
        do {
            return try await within(limit) { [events] in
                while true {
                    let event = try await events.next().event
                    if isExpected(event) { return event }
                }
            }
        } catch {
            throw broken("\(text) was not reported: \(events.messages.map(\.event)).")
        }
    }

    func broken(_ text: String) -> TidingsTestingError {
        TidingsTestingError(
            .brokenPromise,
            "\(attempt): \(text)",
            at: CallSite(fileID: #fileID, line: #line)
        )
    }
}
