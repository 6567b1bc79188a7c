// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// What a daemon tells of a notification, by its number.
enum DaemonSignal: Hashable, Sendable {
    case invoked(UInt32, key: String)
    case replied(UInt32, text: String)
    case token(UInt32, String)
    case closed(UInt32, NotificationCloseReason)

    private static let signatures = [
        "ActionInvoked": "us", "NotificationReplied": "us", "ActivationToken": "us",
        "NotificationClosed": "uu",
    ]

    /// Whether a message whose values are not read yet is a signal, by its name and its types.
    static func isOne(_ head: BusMessage) -> Bool {
        signatures[head.member ?? ""] == head.signature
    }

    /// Reads a signal; nil for one that means nothing here.
    init?(_ message: BusMessage) {
        guard message.body.count == 2, let id = message.body[0].asUInt32 else { return nil }
        switch (message.member, message.body[1]) {
        case ("ActionInvoked", .string(let key)): self = .invoked(id, key: key)
        case ("NotificationReplied", .string(let text)): self = .replied(id, text: text)
        case ("ActivationToken", .string(let token)): self = .token(id, token)
        case ("NotificationClosed", .uint32(let number)):
            let reasons: [UInt32: NotificationCloseReason] = [
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
