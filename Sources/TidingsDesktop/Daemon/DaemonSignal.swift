// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// A signal of the daemon about a notification, with the notification's ID.
enum DaemonSignal: Hashable, Sendable {
    case invoked(UInt32, key: String)
    case replied(UInt32, text: String)
    case token(UInt32, String)
    case closed(UInt32, UserNotificationCloseReason)

    private static let signatures = [
        "ActionInvoked": "us", "NotificationReplied": "us", "ActivationToken": "us",
        "NotificationClosed": "uu",
    ]

    /// Returns whether the name and the signature of a message belong to a signal of the daemon.
    ///
    /// The check does not need the values, so a message can be rejected before they are read.
    static func matches(_ header: BusMessage) -> Bool {
        signatures[header.member ?? ""] == header.signature
    }

    /// Reads a signal, or returns nil for an unknown name or malformed values.
    init?(_ message: BusMessage) {
        guard message.body.count == 2, let id = message.body[0].asUInt32 else { return nil }
        switch (message.member, message.body[1]) {
        case ("ActionInvoked", .string(let key)): self = .invoked(id, key: key)
        case ("NotificationReplied", .string(let text)): self = .replied(id, text: text)
        case ("ActivationToken", .string(let token)): self = .token(id, token)
        case ("NotificationClosed", .uint32(let number)):
            let reasons: [UInt32: UserNotificationCloseReason] = [
                1: .expired, 2: .dismissed, 3: .closedByProgram,
            ]
            self = .closed(id, reasons[number] ?? .unknown)
        default: return nil
        }
    }

    var id: UInt32 {
        switch self {
        case .invoked(let id, _), .replied(let id, _), .token(let id, _), .closed(let id, _): id
        }
    }
}
#endif
