// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// The keys by which a daemon reports the chosen action of a notification.
struct ActionKeys: Hashable, Sendable {
    /// Keys and labels in turn, as the specification requires.
    private(set) var pairs: [String] = []
    /// The action with the text field, if there is one.
    private(set) var reply: NotificationAction?
    /// The requested features that are not shown.
    private(set) var degraded: NotificationFeatures = []
    private var choices: [String: NotificationResponse.Action] = [:]

    static let open = "default"
    static let inlineReply = "inline-reply"

    /// Assigns a key to every action.
    ///
    /// - Parameters:
    ///   - actions: The buttons.
    ///   - openTitle: The title of the default action, for daemons that show it as a button.
    ///   - features: The features that can be shown.
    init(_ actions: [NotificationAction], openTitle: String, features: NotificationFeatures) {
        guard features.contains(.actions) else {
            for action in actions { degraded.formUnion(Self.features(of: action)) }
            return
        }
        add(Self.open, BusText.line(openTitle), .open)
        for (index, action) in actions.enumerated() {
            degraded.formUnion(Self.features(of: action).intersection([.destructive, .foreground]))
            let title = BusText.line(action.title)
            guard action.textInput != nil else {
                add(key(for: action, index), title, .custom(action.identifier))
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
    private static func features(of action: NotificationAction) -> NotificationFeatures {
        var features: NotificationFeatures = .actions
        if action.textInput != nil { features.insert(.textReply) }
        if action.options.contains(.destructive) { features.insert(.destructive) }
        if action.options.contains(.foreground) { features.insert(.foreground) }
        return features
    }

    /// Returns the action of a key; nil for an unknown key.
    func choice(_ key: String) -> NotificationResponse.Action? { choices[key] }

    /// Returns the action's identifier, unless it is taken, reserved or not a plain name.
    ///
    /// A daemon's menu may list keys between brackets and commas.
    private func key(for action: NotificationAction, _ index: Int) -> String {
        let name = action.identifier
        let isFree =
            Self.isPlain(name) && name != Self.inlineReply && choices[name] == nil
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
        _ title: String,
        _ action: NotificationResponse.Action
    ) {
        pairs += [key, title]
        choices[key] = action
    }
}
