// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// The keys under which a daemon tells which of our actions a person has chosen.
struct ActionKeys: Hashable, Sendable {
    /// Key and label, one after the other, as the specification wants them.
    private(set) var pairs: [String] = []
    /// The action that has the field for an answer in words, if there is one.
    private(set) var reply: NotificationAction?
    /// What is not shown as it was asked for.
    private(set) var degraded: NotificationFeatures = []
    private var choices: [String: NotificationResponse.Action] = [:]

    static let open = "default"
    static let inlineReply = "inline-reply"

    /// Gives every action a key.
    ///
    /// - Parameters:
    ///   - actions: The buttons.
    ///   - openTitle: What the tap on the notification itself is called where it is a button.
    ///   - features: What can be shown.
    init(_ actions: [NotificationAction], openTitle: String, features: NotificationFeatures) {
        guard features.contains(.actions) else {
            for action in actions { degraded.formUnion(Self.features(of: action)) }
            return
        }
        add(Self.open, BusText.readable(openTitle), .open)
        for (index, action) in actions.enumerated() {
            degraded.formUnion(Self.features(of: action).intersection([.destructive, .foreground]))
            let title = BusText.readable(action.title)
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

    /// What it takes to show an action as it is.
    private static func features(of action: NotificationAction) -> NotificationFeatures {
        var features: NotificationFeatures = .actions
        if action.textInput != nil { features.insert(.textReply) }
        if action.options.contains(.destructive) { features.insert(.destructive) }
        if action.options.contains(.foreground) { features.insert(.foreground) }
        return features
    }

    /// What a person has chosen with a key; nil for one that is not ours.
    func choice(_ key: String) -> NotificationResponse.Action? { choices[key] }

    /// The program's own name, unless it means something else to the daemon.
    private func key(for action: NotificationAction, _ index: Int) -> String {
        let name = action.identifier
        let isFree =
            !name.isEmpty && name != Self.inlineReply && choices[name] == nil
            && BusText.readable(name) == name
        guard !isFree else { return name }
        var number = index
        while choices["action-\(number)"] != nil { number += 1 }
        return "action-\(number)"
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
