// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// What is known of the program that shows notifications.
struct DaemonTraits: Hashable, Sendable {
    /// What it says it can do, in the words of the specification.
    let capabilities: Set<String>
    /// What it calls itself.
    let server: String

    init(capabilities: some Sequence<String>, server: String = "") {
        self.capabilities = Set(capabilities)
        self.server = server
    }

    /// Whether the body is a document with markup and must be escaped.
    var readsMarkup: Bool { capabilities.contains("body-markup") }

    /// Whether it tells only its last poster what becomes of a notification.
    ///
    /// Most tell everybody; those that are not known here are taken for one that does not.
    var tellsOnlyThePoster: Bool {
        let broadcasting = [
            "notification daemon", "xfce notify daemon", "lxqt-notificationd", "mako", "plasma",
        ]
        return !broadcasting.contains(server.lowercased())
    }

    /// Whether what it shows goes when the connection that has posted it goes.
    var forgetsWithThePoster: Bool { server == "gnome-shell" }

    /// Whether it can say which notifications it has shown before.
    var keepsHistory: Bool { server == "dunst" }

    /// The hint with which a notification takes the place of the one with the same tag.
    var tagHint: String? {
        switch server {
        case "dunst": "x-dunst-stack-tag"
        case "mako": "x-canonical-private-synchronous"
        default: nil
        }
    }

    /// What can be shown.
    var features: NotificationFeatures {
        var features: NotificationFeatures = [.level, .kind, .badge, .replacement, .closeReasons]
        if capabilities.contains("body") { features.insert(.body) }
        if capabilities.contains("actions") { features.formUnion([.actions, .responses]) }
        if capabilities.contains("inline-reply") { features.insert(.textReply) }
        if capabilities.contains("sound") { features.formUnion([.sound, .soundFile]) }
        if !capabilities.isDisjoint(with: Self.pictures) { features.insert(.image) }
        if ["gnome-shell", "plasma"].contains(server.lowercased()) {
            features.insert(.activationToken)
        }
        return features
    }

    private static let pictures: Set<String> = [
        "icon-static", "icon-multi", "body-images", "images",
    ]
}
