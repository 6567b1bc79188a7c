// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsUserNotifications

@testable import TidingsDesktop

extension UserNotification {
    /// Returns a notification as a center passes it to a backend.
    static func sample(
        _ identifier: String = "a",
        _ number: Int = 1,
        title: String = "Title",
        body: String = "Body",
        actions: [UserNotificationAction] = [],
        presentation: UserNotificationPresentationOptions = .all,
        _ change: (inout UserNotificationContent) -> Void = { _ in }
    ) -> UserNotification {
        var content = UserNotificationContent(title: title, body: body)
        change(&content)
        return UserNotification(
            id: NotificationDelivery(identifier: identifier, number: number),
            content: content,
            actions: actions,
            date: Date(timeIntervalSince1970: 0),
            presentation: presentation
        )
    }
}

extension DaemonCapabilities {
    static let plain = DaemonCapabilities(["body", "actions"], server: "fake")
    static let full = DaemonCapabilities(
        ["body", "actions", "body-markup", "sound", "inline-reply", "icon-static"],
        server: "fake"
    )
}

extension DaemonState {
    /// Returns a state with a described daemon that has reported its availability.
    static func ready(
        _ owner: String = ":1.1",
        _ capabilities: DaemonCapabilities = .plain
    ) -> DaemonState {
        var state = DaemonState()
        state.program = .init(id: "org.example.Films", name: "Films", icon: "films")
        _ = state.connect()
        _ = state.opened(server: "bus", owner: owner, isActivatable: false)
        _ = state.described(owner: owner, capabilities)
        return state
    }

    /// Shows a notification and returns `id` for the daemon.
    mutating func show(_ notification: UserNotification, as id: UInt32) {
        for case .notify(let notify) in show(.init(notification: notification, ticket: 0)) {
            _ = notifyReturned(notify.number, .success(id))
        }
    }
}

extension [DaemonState.Action] {
    var notifies: [DaemonState.Notify] {
        compactMap { if case .notify(let notify) = $0 { notify } else { nil } }
    }

    var events: [NotificationBackendEvent] {
        compactMap { if case .deliver(let event) = $0 { event } else { nil } }
    }

    var closes: [UInt32] {
        compactMap { if case .close(_, let id) = $0 { id } else { nil } }
    }

    var settled: [Int: NotificationBackendResult] {
        reduce(into: [:]) { if case .settle(let ticket, let result) = $1 { $0[ticket] = result } }
    }
}
