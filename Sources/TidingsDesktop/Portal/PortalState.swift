// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// What was given to the portal, as a value.
///
/// The portal knows notifications by names that are given to it, and the same name replaces; its
/// signals go to everybody, so the names carry the program's own.
struct PortalState {
    struct Shown: Hashable {
        let delivery: NotificationDelivery
        let keys: ActionKeys
    }

    var program = NotifyArguments.Program()
    /// The unique name of the portal; nil while there is none.
    var owner: String?
    private(set) var shown: [String: Shown] = [:]

    /// The portal's name for an identifier.
    func name(of identifier: String) -> String { program.id + "/" + identifier }

    mutating func shows(_ notification: UserNotification, _ keys: ActionKeys) -> Shown? {
        shown.updateValue(
            Shown(delivery: notification.id, keys: keys),
            forKey: name(of: notification.identifier)
        )
    }

    /// What was registered did not happen: what was there before is what there is.
    mutating func failed(_ notification: UserNotification, _ before: Shown?) {
        let name = name(of: notification.identifier)
        if shown[name]?.delivery == notification.id { shown[name] = before }
    }

    /// Whether there was anything to take away.
    mutating func closes(_ identifier: String) -> Bool {
        shown.removeValue(forKey: name(of: identifier)) != nil
    }

    /// The one response of a notification, and the name under which it is to be taken away.
    mutating func heard(
        _ body: [BusValue],
        from sender: String?
    ) -> (name: String, event: NotificationBackendEvent)? {
        guard let owner, sender == owner, body.count >= 2,
            case .string(let name) = body[0], case .string(let key) = body[1],
            let known = shown[name], let choice = known.keys.choice(key)
        else { return nil }
        shown[name] = nil
        let token = body.count > 2 ? Self.token(in: body[2]) : nil
        return (name, .responded(known.delivery, choice, activationToken: token))
    }

    /// Another portal knows nothing of what an earlier one was given.
    mutating func ownerChanged(to owner: String?) -> [NotificationBackendEvent] {
        guard owner != self.owner else { return [] }
        let hadOwner = self.owner != nil
        self.owner = owner
        guard hadOwner else { return [] }
        defer { shown = [:] }
        return shown.sorted { $0.key < $1.key }.map { .closed($0.value.delivery, .unknown) }
    }

    private static func token(in parameters: BusValue) -> String? {
        for case .variant(let parameter) in parameters.asArray ?? [] {
            if let token = parameter.asOptions?["activation-token"]?.asString { return token }
        }
        return nil
    }
}
