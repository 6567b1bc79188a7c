// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// The capabilities and the known quirks of a notification daemon.
struct DaemonCapabilities: Hashable, Sendable {
    /// The capabilities that the daemon lists, by the names in the specification.
    let names: Set<String>
    /// The daemon's own name, as returned by `GetServerInformation`.
    let server: String

    init(_ names: some Sequence<String>, server: String = "") {
        self.names = Set(names)
        self.server = server
    }

    /// Whether the daemon parses the body as markup, so that the body must be escaped.
    var readsMarkup: Bool { names.contains("body-markup") }

    /// Whether the daemon signals only the connection that last posted a notification.
    ///
    /// Most daemons broadcast. A daemon that is not listed here counts as signaling only the last
    /// sender.
    var signalsOnlyLastSender: Bool {
        let broadcasting = [
            "notification daemon", "xfce notify daemon", "lxqt-notificationd", "mako", "plasma",
        ]
        return !broadcasting.contains(server.lowercased())
    }

    /// Whether the daemon lists the default action with the buttons, on the bubble or in a menu.
    var listsOpen: Bool {
        ["dunst", "mako", "xfce notify daemon", "lxqt-notificationd"].contains(server.lowercased())
    }

    /// Whether the daemon closes a notification at the end of the connection that posted it.
    var closesOnDisconnect: Bool { server == "gnome-shell" }

    /// Whether the daemon lists notifications of low urgency without a bubble.
    var listsQuietly: Bool { server == "gnome-shell" }

    /// Whether the daemon draws the hint `value` as a bar, which no capability names.
    var drawsProgress: Bool {
        ["dunst", "mako", "xfce notify daemon", "notify-osd"].contains(server.lowercased())
    }

    /// Whether the daemon can list the notifications that are no longer shown.
    var keepsHistory: Bool { server == "dunst" }

    /// The name of the hint that makes a notification replace another notification with the same
    /// tag.
    var tagHint: String? {
        switch server {
        case "dunst": "x-dunst-stack-tag"
        case "mako": "x-canonical-private-synchronous"
        default: nil
        }
    }

    /// The features of notifications that the daemon can show.
    var features: UserNotificationFeatures {
        var features: UserNotificationFeatures = [
            .level, .kind, .badge, .replacement, .closeReasons,
        ]
        if names.contains("body") { features.insert(.body) }
        if names.contains("actions") { features.formUnion([.actions, .responses]) }
        if names.contains("inline-reply") { features.insert(.textReply) }
        if names.contains("sound") { features.formUnion([.sound, .soundFile]) }
        if listsQuietly { features.insert(.list) }
        if drawsProgress { features.insert(.progress) }
        if !["gnome-shell", "notify-osd"].contains(server) { features.insert(.timeOnScreen) }
        if !names.isDisjoint(with: Self.imageNames) { features.insert(.image) }
        if ["gnome-shell", "plasma"].contains(server.lowercased()) {
            features.insert(.activationToken)
        }
        return features
    }

    private static let imageNames: Set<String> = [
        "icon-static", "icon-multi", "body-images", "images",
    ]
}
#endif
