// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsUserNotifications

@testable import TidingsDesktop

extension UserNotification {
    /// A notification as a center hands it over.
    static func sample(
        _ identifier: String = "a",
        _ number: Int = 1,
        title: String = "Title",
        body: String = "Body",
        actions: [NotificationAction] = [],
        presentation: PresentationOptions = .all,
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

extension DaemonTraits {
    static let plain = DaemonTraits(capabilities: ["body", "actions"], server: "fake")
    static let full = DaemonTraits(
        capabilities: [
            "body", "actions", "body-markup", "sound", "inline-reply", "icon-static",
        ],
        server: "fake"
    )
}

extension DaemonState {
    /// A state that knows a daemon and has told of it.
    static func ready(_ owner: String = ":1.1", _ traits: DaemonTraits = .plain) -> DaemonState {
        var state = DaemonState()
        state.program = .init(id: "org.example.Films", name: "Films", icon: "films")
        _ = state.connect()
        _ = state.opened(server: "bus", owner: owner, isActivatable: false)
        _ = state.described(owner: owner, traits)
        return state
    }

    /// Shows a notification and answers for the daemon.
    mutating func shows(_ notification: UserNotification, as id: UInt32) {
        for case .notify(let notify) in show(.init(notification: notification, ticket: 0)) {
            _ = notified(notify.number, .success(id))
        }
    }
}

extension [DaemonState.Action] {
    var notifies: [DaemonState.Notify] {
        compactMap { if case .notify(let notify) = $0 { notify } else { nil } }
    }

    var events: [NotificationBackendEvent] {
        compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    var closes: [UInt32] {
        compactMap { if case .close(_, let id) = $0 { id } else { nil } }
    }

    var settled: [Int: NotificationBackendResult] {
        reduce(into: [:]) { if case .settle(let ticket, let result) = $1 { $0[ticket] = result } }
    }
}
