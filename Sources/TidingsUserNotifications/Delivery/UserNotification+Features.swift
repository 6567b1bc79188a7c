// SPDX-License-Identifier: Apache-2.0

extension UserNotification {
    /// The features that a backend needs to show all of the notification.
    ///
    /// A backend reports unsupported features among these as degraded.
    package var neededFeatures: UserNotificationFeatures {
        var needed: UserNotificationFeatures = []
        if !content.body.isEmpty { needed.insert(.body) }
        if !content.subtitle.isEmpty { needed.insert(.subtitle) }
        if longestText > Self.textLimit { needed.insert(.longText) }
        if isOnlyListed { needed.insert(.list) }
        if content.thread != nil { needed.insert(.thread) }
        if content.kind != nil { needed.insert(.kind) }
        if content.level != .active { needed.insert(.level) }
        if content.badge != nil { needed.insert(.badge) }
        if !content.attachments.isEmpty { needed.insert(.image) }
        if content.progress != nil { needed.insert(.progress) }
        if content.timeOnScreen != nil { needed.insert(.timeOnScreen) }
        switch presentation.contains(.sound) ? content.sound : nil {
        case .file: needed.insert(.soundFile)
        case .default, .named: needed.insert(.sound)
        case nil: break
        }
        return needed.union(actions.reduce(into: []) { $0.formUnion($1.neededFeatures) })
    }

    /// Whether the notification is shown without a banner, so that no bubble may be drawn.
    package var isOnlyListed: Bool { !presentation.isEmpty && !presentation.contains(.banner) }

    /// The features that are left out where a notification cannot be listed without a bubble.
    package var featuresOfListing: UserNotificationFeatures {
        neededFeatures.intersection([.list, .sound, .soundFile])
    }

    /// The length in bytes of UTF-8 at which a backend without `longText` cuts a string.
    package static let textLimit = 128 << 10

    /// The length of the longest string in bytes of UTF-8.
    private var longestText: Int {
        let texts = [content.title, content.subtitle, content.body] + actions.map(\.title)
        return texts.map(\.utf8.count).max() ?? 0
    }
}

extension UserNotificationAction {
    fileprivate var neededFeatures: UserNotificationFeatures {
        var needed: UserNotificationFeatures = textInput == nil ? .actions : .textReply
        if options.contains(.destructive) { needed.insert(.destructive) }
        if options.contains(.foreground) { needed.insert(.foreground) }
        return needed
    }
}
