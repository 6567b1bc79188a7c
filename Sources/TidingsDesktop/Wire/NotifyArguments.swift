// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// A notification as the method `Notify` takes it.
struct NotifyArguments: Hashable, Sendable {
    /// The program, as the daemon is to know it.
    struct Program: Hashable, Sendable {
        var id = ""
        var name = ""
        var icon = ""
        var openTitle = "Open"
    }

    let program: String
    let icon: String
    private(set) var summary: String
    private(set) var body = ""
    private(set) var keys: ActionKeys
    private(set) var hints: [String: BusValue] = [:]
    /// What is not shown as it was asked for.
    private(set) var degraded: NotificationFeatures = []

    /// Writes a notification for a daemon with these traits.
    ///
    /// - Parameters:
    ///   - notification: What to show.
    ///   - program: In whose name.
    ///   - traits: Who shows it.
    ///   - isQuiet: Whether it was heard before, and is not to be heard again.
    init(
        _ notification: UserNotification,
        of program: Program,
        for traits: DaemonTraits,
        isQuiet: Bool = false
    ) {
        let content = notification.content
        self.program = BusText.readable(program.name)
        icon = BusText.readable(program.icon)
        summary = BusText.readable(content.title)
        keys = ActionKeys(
            notification.actions,
            openTitle: program.openTitle,
            features: traits.features
        )
        degraded = keys.degraded
        setBody(of: content, traits)
        setLevel(content.level, isBanner: notification.presentation.contains(.banner))
        setSound(
            isQuiet || !notification.presentation.contains(.sound) ? nil : content.sound,
            traits
        )
        for attachment in content.attachments { attach(attachment, traits) }
        if let kind = content.kind { hints["category"] = .string(BusText.readable(kind.name)) }
        if !program.id.isEmpty {
            hints["desktop-entry"] = .string(BusText.readable(program.id))
        }
        if content.thread != nil { degraded.insert(.thread) }
        if let hint = traits.tagHint {
            hints[hint] = .string(BusText.readable(program.id + "/" + notification.identifier))
        }
        if let field = keys.reply?.textInput {
            hints["x-kde-reply-placeholder-text"] = .string(BusText.readable(field.placeholder))
            if let button = field.button {
                hints["x-kde-reply-submit-button-text"] = .string(BusText.readable(button))
            }
        }
    }

    /// The arguments in their order, for the number of the notification whose place it takes.
    func body(replacing replaced: UInt32) -> [BusValue] {
        [
            .string(program), .uint32(replaced), .string(icon), .string(summary), .string(body),
            .strings(keys.pairs), .options(hints), .int32(-1),
        ]
    }

    private mutating func setBody(of content: UserNotificationContent, _ traits: DaemonTraits) {
        if !content.subtitle.isEmpty { degraded.insert(.subtitle) }
        let text = BusText.readable(
            [content.subtitle, content.body].filter { !$0.isEmpty }.joined(separator: "\n")
        )
        guard !text.isEmpty else { return }
        if traits.features.contains(.body) {
            body = traits.readsMarkup ? Markup.escaped(text) : text
        } else {
            degraded.insert(.body)
        }
    }

    private mutating func setLevel(_ level: NotificationLevel, isBanner: Bool) {
        let urgency: UInt8 =
            switch level {
            case .passive: 0
            case .active, .timeSensitive: 1
            case .critical: 2
            }
        if level == .timeSensitive { degraded.insert(.level) }
        hints["urgency"] = .byte(isBanner ? urgency : 0)
    }

    private mutating func setSound(_ sound: NotificationSound?, _ traits: DaemonTraits) {
        guard let sound else {
            hints["suppress-sound"] = .bool(true)
            return
        }
        switch sound {
        case .default, .named:
            guard traits.features.contains(.sound) else {
                _ = degraded.insert(.sound)
                return
            }
            let name = if case .named(let name) = sound { name } else { "message-new-instant" }
            hints["sound-name"] = .string(BusText.readable(name))
        case .file(let path):
            guard traits.features.contains(.soundFile), path.hasPrefix("/") else {
                _ = degraded.insert(.soundFile)
                return
            }
            hints["sound-file"] = .string(BusText.readable(path))
        }
    }

    private mutating func attach(_ attachment: NotificationAttachment, _ traits: DaemonTraits) {
        let missing: NotificationFeatures =
            switch attachment.media {
            case .image: .image
            case .audio: .audio
            case .video: .video
            }
        let hasPicture = hints["image-path"] != nil || hints["image-data"] != nil
        guard attachment.media == .image, traits.features.contains(.image), !hasPicture else {
            _ = degraded.insert(missing)
            return
        }
        switch attachment.source {
        case .pixels(let image): hints["image-data"] = PictureHint.value(of: image)
        case .file(let path):
            guard let address = PictureHint.address(of: path) else {
                _ = degraded.insert(missing)
                return
            }
            hints["image-path"] = .string(address)
        }
    }
}
