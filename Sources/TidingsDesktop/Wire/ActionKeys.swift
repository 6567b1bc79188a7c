// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// The keys by which a daemon reports the chosen action of a notification.
struct ActionKeys: Hashable, Sendable {
    /// The keys and labels in turn, as required by the specification.
    private(set) var pairs: [String] = []
    /// The action with the text field, or nil without a text field.
    private(set) var reply: UserNotificationAction?
    /// The requested features that are not shown.
    private(set) var degraded: UserNotificationFeatures = []
    private var choices: [String: UserNotificationResponse.Action] = [:]

    static let open = "default"
    static let inlineReply = "inline-reply"

    /// Assigns a key to every action.
    ///
    /// - Parameters:
    ///   - actions: The buttons.
    ///   - openTitle: The title of the default action, for daemons that show a button for that
    ///     action.
    ///   - features: The features that can be shown.
    ///   - listsOpen: Whether the daemon lists the default action with the buttons. An action with
    ///     the same purpose then replaces the default action.
    init(
        _ actions: [UserNotificationAction],
        openTitle: String,
        features: UserNotificationFeatures,
        listsOpen: Bool = false
    ) {
        guard features.contains(.actions) else {
            for action in actions { degraded.formUnion(Self.features(of: action)) }
            return
        }
        let opening =
            listsOpen
            ? actions.firstIndex { $0.options.contains(.opens) && $0.textInput == nil } : nil
        if opening == nil { add(Self.open, title: BusText.line(openTitle), .open) }
        for (index, action) in actions.enumerated() {
            degraded.formUnion(Self.features(of: action).intersection([.destructive, .foreground]))
            let title = BusText.line(action.title)
            if index == opening {
                add(Self.open, title: title, .open)
                continue
            }
            guard action.textInput != nil else {
                add(key(for: action, index), title: title, .custom(action.identifier))
                continue
            }
            guard features.contains(.textReply), reply == nil else {
                degraded.insert(.textReply)
                continue
            }
            reply = action
            pairs += [Self.inlineReply, title]
        }
    }

    /// Returns the features needed to show an action completely.
    private static func features(of action: UserNotificationAction) -> UserNotificationFeatures {
        var features: UserNotificationFeatures = .actions
        if action.textInput != nil { features.insert(.textReply) }
        if action.options.contains(.destructive) { features.insert(.destructive) }
        if action.options.contains(.foreground) { features.insert(.foreground) }
        return features
    }

    /// Returns the action of a key, or nil for an unknown key.
    func choice(_ key: String) -> UserNotificationResponse.Action? { choices[key] }

    /// Returns the action's identifier, unless it is taken or reserved or has other than plain
    /// characters.
    ///
    /// A daemon's menu may list keys between brackets and commas.
    private func key(for action: UserNotificationAction, _ index: Int) -> String {
        let name = action.identifier
        let isFree =
            Self.isPlain(name) && name != Self.inlineReply && name != Self.open
            && choices[name] == nil
        guard !isFree else { return name }
        var number = index
        while choices["action-\(number)"] != nil { number += 1 }
        return "action-\(number)"
    }

    private static func isPlain(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    || "-_.:".unicodeScalars.contains(scalar)
            }
    }

    private mutating func add(
        _ key: String,
        title: String,
        _ action: UserNotificationResponse.Action
    ) {
        pairs += [key, title]
        choices[key] = action
    }
}
#endif
