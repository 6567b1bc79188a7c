// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
import TidingsTesting
import TidingsUserNotifications

/// A backend that records all calls and that a test can block.
final class ScriptedBackend: NotificationBackend {
    struct Call: Message, Equatable {
        let text: String
    }

    let calls: MessageRecorder<Call>
    private let log = MessageCenter()
    private let events = Lock<(@Sendable (NotificationBackendEvent) -> Void)?>(nil)
    private let result: NotificationBackendResult
    private let gate: Gate?
    private let stillShown: Set<String>
    let features: UserNotificationFeatures
    private let introductions = Lock<[UserNotificationCenter.Application]>([])

    init(
        _ result: NotificationBackendResult = .accepted(),
        gate: Gate? = nil,
        features: UserNotificationFeatures = .all,
        stillShown: Set<String> = []
    ) {
        calls = MessageRecorder(on: log)
        self.result = result
        self.gate = gate
        self.features = features
        self.stillShown = stillShown
    }

    func availability() async -> NotificationAvailability {
        if case .unavailable(let reason) = result { .unavailable(reason) } else { .available }
    }

    func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        let found = shown.filter { stillShown.contains($0.notification.identifier) }
        let texts = shown.map { "\($0.notification.identifier)=\($0.handle.text)" }
        log.post(Call(text: "restore \(texts.joined(separator: " "))"))
        return Dictionary(
            uniqueKeysWithValues: found.map {
                ($0.notification.id, NotificationHandle("again \($0.handle.text)"))
            }
        )
    }

    func introduce(_ application: UserNotificationCenter.Application) {
        introductions.withLock { $0.append(application) }
    }

    /// The senders that the center has set, in order.
    var senders: [UserNotificationCenter.Application] { introductions.withLock(\.self) }

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

    func setProgramStart(_ date: Date?) async {
        let seconds = date.map { "\(Int($0.timeIntervalSince1970))" }
        log.post(Call(text: "start \(seconds ?? "never")"))
    }

    func send(_ event: NotificationBackendEvent) {
        events.withLock { $0 }?(event)
    }
}
