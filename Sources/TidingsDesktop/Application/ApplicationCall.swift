// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// A call of the interface by which a desktop activates a program.
///
/// If the program is not running, the message bus starts the program before the call.
enum ApplicationCall: Hashable, Sendable {
    /// Show the program.
    case activate(token: String?)
    /// Handle a response to a notification.
    case respond(NotificationActivation)
    /// Deliver the requests that are due, as the center does without further calls.
    case deliver

    static let interface = "org.freedesktop.Application"
    /// The action of a response, with the target as the parameter.
    static let responseAction = "tidings-response"
    /// The action of the system's timer.
    static let timerAction = "tidings-due"

    /// Returns the path of a program's object according to the Desktop Entry Specification.
    static func path(of id: String) -> String {
        "/" + id.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
    }

    /// Reads a call, or returns nil for an unknown or malformed call.
    init?(_ message: BusMessage) {
        guard message.interface == Self.interface else { return nil }
        switch (message.member, message.signature) {
        case ("Activate", "a{sv}"): self = .activate(token: Self.token(in: message.body[0]))
        case ("Open", "asa{sv}"): self = .activate(token: Self.token(in: message.body[1]))
        case ("ActivateAction", "sava{sv}") where message.body[0].asString == Self.timerAction:
            self = .deliver
        case ("ActivateAction", "sava{sv}"):
            guard message.body[0].asString == Self.responseAction,
                case .variant(let target)? = message.body[1].asArray?.first,
                var activation = NotificationActivation(target: target.asStrings ?? [])
            else { return nil }
            activation.token = Self.token(in: message.body[2])
            self = .respond(activation)
        default: return nil
        }
    }

    private static func token(in platformData: BusValue) -> String? {
        let data = platformData.asOptions
        let token = data?["activation-token"]?.asString ?? data?["desktop-startup-id"]?.asString
        return token?.isEmpty == true ? nil : token
    }
}

extension NotificationActivation {
    /// The strings that identify the response in an action of a desktop or the portal.
    var target: [String] {
        let known = [store, delivery.identifier, String(delivery.number)]
        return switch action {
        case .custom(let name): known + ["custom", name]
        case .reply(let name, let text): known + ["reply", name, text]
        case .open, .dismissed: known + ["open"]
        }
    }

    /// Reads a value of ``target``, or returns nil for any other strings.
    init?(target: [String]) {
        guard target.count >= 4, let number = Int(target[2]) else { return nil }
        let action: UserNotificationResponse.Action
        switch (target[3], target.count) {
        case ("open", 4): action = .open
        case ("custom", 5): action = .custom(target[4])
        case ("reply", 6): action = .reply(target[4], target[5])
        default: return nil
        }
        self.init(
            store: target[0],
            delivery: NotificationDelivery(identifier: target[1], number: number),
            action: action
        )
    }
}
#endif
