// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// The notifications passed to the portal, as a value without side effects.
///
/// The program chooses the names of notifications, and a notification replaces an earlier
/// notification with the same name. The portal broadcasts its signals, so each name starts with the
/// program's ID and the store's identity.
struct PortalState {
    /// A notification passed to the portal.
    struct Entry: Hashable {
        let delivery: NotificationDelivery
        let keys: ActionKeys
    }

    var program = NotifyArguments.Program()
    /// The unique name of the portal, or nil while none is running.
    var owner: String?
    /// Whether the portal surely displays a body unchanged, or nil while the answer is unknown.
    var isBodyPlain: Bool?
    /// The notifications, by their names in the portal.
    private(set) var entries: [String: Entry] = [:]

    /// The portal's name for an identifier.
    ///
    /// A notification keeps the same name if the store's identity becomes known later.
    func name(of identifier: String) -> String {
        let name = program.globalName(of: identifier)
        if entries[name] != nil { return name }
        return entries.first { $0.value.delivery.identifier == identifier }?.key ?? name
    }

    /// Adds a notification and returns the replaced entry.
    mutating func register(_ notification: UserNotification, _ keys: ActionKeys) -> Entry? {
        entries.updateValue(
            Entry(delivery: notification.id, keys: keys),
            forKey: name(of: notification.identifier)
        )
    }

    /// Restores the previous entry after a failed call, unless a newer notification is registered.
    mutating func rollBack(_ notification: UserNotification, _ previous: Entry?) {
        let name = name(of: notification.identifier)
        if entries[name]?.delivery == notification.id { entries[name] = previous }
    }

    /// Removes a notification, or returns false for an unknown identifier.
    mutating func remove(_ identifier: String) -> Bool {
        entries.removeValue(forKey: name(of: identifier)) != nil
    }

    /// Handles an action signal and returns the response and the name of the notification to
    /// remove.
    ///
    /// Only the first signal about a notification is a response. Signals from other senders and
    /// about unknown notifications return nil.
    mutating func received(
        _ body: [BusValue],
        from sender: String?
    ) -> (name: String, event: NotificationBackendEvent)? {
        guard let owner, sender == owner, body.count >= 2,
            case .string(let name) = body[0], case .string(let key) = body[1],
            let known = entries[name], let choice = known.keys.choice(key)
        else { return nil }
        entries[name] = nil
        let token = body.count > 2 ? Self.token(in: body[2]) : nil
        return (name, .responded(known.delivery, choice, activationToken: token))
    }

    /// Handles a change of the portal's owner, after which all earlier notifications are gone.
    mutating func ownerChanged(to owner: String?) -> [NotificationBackendEvent] {
        guard owner != self.owner else { return [] }
        let hadOwner = self.owner != nil
        self.owner = owner
        isBodyPlain = nil
        guard hadOwner else { return [] }
        defer { entries = [:] }
        return entries.sorted { $0.key < $1.key }.map { .closed($0.value.delivery, .unknown) }
    }

    /// Returns whether a portal with these properties surely displays a body unchanged.
    ///
    /// The second version has another entry for markup. But the portal reports that version also
    /// with a backend of the first version, which has no options and may pass the body to a daemon
    /// that reads markup. GNOME's backend of the first version displays the body unchanged, so
    /// escaping does not help.
    static func isBodyPlain(_ properties: [String: BusValue]) -> Bool {
        guard (properties["version"]?.asUInt32 ?? 1) >= 2 else { return false }
        return properties["SupportedOptions"]?.asOptions?.isEmpty == false
    }

    private static func token(in parameters: BusValue) -> String? {
        for case .variant(let parameter) in parameters.asArray ?? [] {
            if let token = parameter.asOptions?["activation-token"]?.asString { return token }
        }
        return nil
    }
}
#endif
