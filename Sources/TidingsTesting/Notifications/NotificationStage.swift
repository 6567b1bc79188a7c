// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsUserNotifications

/// A backend that is started, with all that an attempt looks at.
struct NotificationStage: Sendable {
    struct Told: Message {
        let event: NotificationBackendEvent
    }

    let backend: any NotificationBackend
    let person: any NotificationPerson
    let told: MessageRecorder<Told>
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
        told = MessageRecorder(on: center)
        backend.introduce(.init(id: "org.example.Contract", name: "Contract"))
        backend.start { [center] in center.post(Told(event: $0)) }
    }

    func with(
        _ backend: any NotificationBackend,
        _ person: any NotificationPerson
    ) -> NotificationStage {
        NotificationStage(attempt, limit, backend, person)
    }

    func notification(
        _ identifier: String,
        _ number: Int,
        _ content: UserNotificationContent,
        actions: [NotificationAction] = []
    ) -> UserNotification {
        UserNotification(
            id: NotificationDelivery(identifier: identifier, number: number),
            content: content,
            actions: actions,
            date: Date()
        )
    }

    /// Shows something that nothing speaks against.
    @discardableResult
    func show(
        _ notification: UserNotification
    ) async throws -> (degraded: NotificationFeatures, handle: NotificationHandle?) {
        let result = await backend.show(notification)
        guard case .accepted(let degraded, let handle) = result else {
            throw broken("“\(notification.identifier)” was not accepted: \(result).")
        }
        return (degraded, handle)
    }

    /// Waits until exactly these can be seen.
    func expectSeen(_ titles: [String]) async throws {
        try await expectSights("\(titles)") { $0.map(\.title).sorted() == titles.sorted() }
    }

    /// Looks until what is seen is such.
    func expectSights(
        _ text: String,
        _ isSuch: ([NotificationSight]) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        var seen = try await person.seen()
        while !isSuch(seen), ContinuousClock.now < deadline {
            // A place that is only looked at tells nobody of its changes.
            try await Task.sleep(for: .milliseconds(20))
            seen = try await person.seen()
        }
        if !isSuch(seen) { throw broken("\(text) was to be seen, and this was: \(seen).") }
    }

    /// Returns the next event that is such, and passes over the others.
    func next(
        _ text: String,
        _ isSuch: @escaping @Sendable (NotificationBackendEvent) -> Bool
    ) async throws -> NotificationBackendEvent {
        do {
            return try await within(limit) { [told] in
                while true {
                    let event = try await told.next().event
                    if isSuch(event) { return event }
                }
            }
        } catch {
            throw broken("\(text) was not told: \(told.messages.map(\.event)).")
        }
    }

    func broken(_ text: String) -> TidingsTestingError {
        TidingsTestingError(
            .brokenPromise,
            "\(attempt): \(text)",
            at: TestSite(fileID: #fileID, line: #line)
        )
    }
}
