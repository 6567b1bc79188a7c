// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// The arguments of the portal's method `AddNotification`.
///
/// The arguments contain only the entries of the portal's first version, because a portal rejects
/// the whole notification for an unknown entry.
struct PortalArguments: Hashable, Sendable {
    /// The notification as an `a{sv}` dictionary.
    let options: BusValue
    let keys: ActionKeys
    /// The requested features that the portal does not show.
    private(set) var degraded: UserNotificationFeatures

    /// The features of notifications that the portal can show.
    static let features: UserNotificationFeatures = [
        .body, .actions, .level, .replacement, .responses, .activationToken,
    ]

    /// The features that the portal never shows.
    private static let missing: UserNotificationFeatures = [
        .subtitle, .sound, .soundFile, .image, .thread, .kind, .longText, .progress,
        .timeOnScreen,
    ]

    /// Returns the keys of a notification's actions.
    static func keys(of notification: UserNotification, openTitle: String) -> ActionKeys {
        ActionKeys(notification.actions, openTitle: openTitle, features: features)
    }

    /// Converts a notification for the portal.
    ///
    /// - Parameters:
    ///   - notification: The notification to show.
    ///   - openTitle: The title of the default action.
    ///   - isBodyPlain: Whether the portal surely displays the body unchanged.
    ///   - store: The identity of the store if the portal delivers responses by the program's name
    ///     to this process, and starts the program for these responses. The value is nil for
    ///     responses by signal.
    init(
        _ notification: UserNotification,
        openTitle: String,
        isBodyPlain: Bool,
        store: String? = nil
    ) {
        let content = notification.content
        keys = Self.keys(of: notification, openTitle: openTitle)
        degraded = keys.degraded.union(notification.neededFeatures.intersection(Self.missing))
        let text = BusText.text(of: content)
        let body = isBodyPlain ? text : Markup.avoided(text)
        if body != text { degraded.insert(.body) }
        var options: [String: BusValue] = [
            "title": .string(BusText.line(content.title)),
            "body": .string(body),
            "priority": .string(Self.priority(of: content.level)),
        ]
        let target = { [keys] (key: String) -> [String]? in
            guard let store, let action = keys.choice(key) else { return nil }
            let activation = NotificationActivation(
                store: store,
                delivery: notification.activationID ?? notification.id,
                action: action
            )
            return activation.target
        }
        // The portal starts the program for an action with this prefix.
        let name = "app." + ApplicationCall.responseAction
        if let target = target(ActionKeys.open) {
            options["default-action"] = .string(name)
            options["default-action-target"] = .strings(target)
        } else {
            options["default-action"] = .string(ActionKeys.open)
        }
        // The first pair is the default action, which is not a button.
        let pairs = keys.pairs
        let buttons = stride(from: 2, to: pairs.count, by: 2).map { index -> BusValue in
            let label = BusValue.string(pairs[index + 1])
            guard let target = target(pairs[index]) else {
                return BusValue.options(["label": label, "action": .string(pairs[index])])
            }
            return BusValue.options([
                "label": label, "action": .string(name), "target": .strings(target),
            ])
        }
        if !buttons.isEmpty { options["buttons"] = .array(of: "a{sv}", buttons) }
        self.options = .options(options)
    }

    private static func priority(of level: UserNotificationLevel) -> String {
        switch level {
        case .passive: "low"
        case .active: "normal"
        case .timeSensitive: "high"
        case .critical: "urgent"
        }
    }
}
#endif
