// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsTesting
import TidingsUserNotifications

/// A backend that a test holds up and that writes down what it was asked for.
final class ScriptedBackend: NotificationBackend {
    struct Call: Message, Equatable {
        let text: String
    }

    let calls: MessageRecorder<Call>
    private let log = MessageCenter()
    private let events = Lock<(@Sendable (NotificationBackendEvent) -> Void)?>(nil)
    private let result: NotificationBackendResult
    private let gate: Gate?

    init(_ result: NotificationBackendResult = .accepted(), gate: Gate? = nil) {
        calls = MessageRecorder(on: log)
        self.result = result
        self.gate = gate
    }

    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        self.events.withLock { $0 = events }
    }

    func show(_ notification: UserNotification) async -> NotificationBackendResult {
        log.post(Call(text: "show \(notification.content.title)"))
        try? await gate?.wait()
        log.post(Call(text: "shown \(notification.content.title)"))
        return result
    }

    func close(_ identifier: String) async {
        log.post(Call(text: "close \(identifier)"))
    }

    func setBadge(_ count: Int) async {
        log.post(Call(text: "badge \(count)"))
    }

    func tell(_ event: NotificationBackendEvent) {
        events.withLock { $0 }?(event)
    }
}
