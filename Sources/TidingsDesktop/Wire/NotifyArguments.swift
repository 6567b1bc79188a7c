// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// The arguments of the daemon's method `Notify`.
struct NotifyArguments: Hashable, Sendable {
    /// The program that sends notifications, in the view of the daemon.
    struct Program: Hashable, Sendable {
        var id = ""
        /// The identity of the store from which the notifications come.
        var store = ""
        var name = ""
        var icon = ""
        var openTitle = "Open"

        /// A name for an identifier that neither another program nor another store uses.
        func globalName(of identifier: String) -> String {
            [id, store, identifier].filter { !$0.isEmpty }.joined(separator: "/")
        }
    }

    let program: String
    let icon: String
    private(set) var summary: String
    private(set) var body = ""
    private(set) var keys: ActionKeys
    private(set) var hints: [String: BusValue] = [:]
    /// The time on screen in milliseconds, or -1 for the daemon's default.
    private var timeout: Int32 = -1
    /// The command that plays the sound in the daemon's place, or nil without such a command.
    private(set) var soundCommand: [String]?
    /// The requested features that are not shown.
    private(set) var degraded: UserNotificationFeatures = []

    /// Converts a notification for a daemon with the given capabilities.
    ///
    /// - Parameters:
    ///   - notification: The notification to show.
    ///   - program: The sender.
    ///   - capabilities: The capabilities of the daemon.
    ///   - player: The player of sounds in the daemon's place, or nil without an installed player.
    ///   - isQuiet: Whether to leave out the sound, for a notification that was shown before.
    init(
        _ notification: UserNotification,
        of program: Program,
        for capabilities: DaemonCapabilities,
        player: SoundPlayer? = nil,
        isQuiet: Bool = false
    ) {
        let content = notification.content
        self.program = BusText.line(program.name)
        icon = BusText.line(program.icon)
        summary = BusText.line(content.title)
        keys = ActionKeys(
            notification.actions,
            openTitle: program.openTitle,
            features: capabilities.features,
            listsOpen: capabilities.listsOpen
        )
        degraded = keys.degraded.union(notification.neededFeatures.intersection(.longText))
        setBody(of: content, capabilities)
        setLevel(content.level, isBanner: notification.presentation.contains(.banner))
        if !notification.presentation.contains(.list) { hints["transient"] = .bool(true) }
        setSound(
            isQuiet || !notification.presentation.contains(.sound) ? nil : content.sound,
            capabilities,
            player: player
        )
        for attachment in content.attachments { attach(attachment, capabilities) }
        if let kind = content.kind { hints["category"] = .string(BusText.line(kind.rawValue)) }
        if !program.id.isEmpty {
            hints["desktop-entry"] = .string(BusText.line(program.id))
        }
        if content.thread != nil { degraded.insert(.thread) }
        degraded.formUnion(
            notification.neededFeatures.intersection([.progress, .timeOnScreen])
                .subtracting(capabilities.features)
        )
        if let progress = content.progress {
            hints["value"] = .int32(Int32((min(max(progress, 0), 1) * 100).rounded()))
        }
        if let time = content.timeOnScreen, time > .zero { timeout = Self.milliseconds(of: time) }
        if let hint = capabilities.tagHint {
            let name = program.globalName(of: notification.identifier)
            if name == BusText.cut(name) { hints[hint] = .string(BusText.line(name)) }
        }
        if let field = keys.reply?.textInput {
            hints["x-kde-reply-placeholder-text"] = .string(BusText.line(field.placeholder))
            if let button = field.button {
                hints["x-kde-reply-submit-button-text"] = .string(BusText.line(button))
            }
        }
    }

    /// Returns a time that a daemon can count, because 0 would keep the notification until
    /// dismissal.
    private static func milliseconds(of time: Duration) -> Int32 {
        Int32(max(1, min(time / .milliseconds(1), Double(Int32.max)).rounded()))
    }

    /// Returns the arguments in order, with the ID of the notification to replace or 0.
    func body(replacing replaced: UInt32) -> [BusValue] {
        [
            .string(program), .uint32(replaced), .string(icon), .string(summary), .string(body),
            .strings(keys.pairs), .options(hints), .int32(timeout),
        ]
    }

    private mutating func setBody(
        of content: UserNotificationContent,
        _ capabilities: DaemonCapabilities
    ) {
        if !content.subtitle.isEmpty { degraded.insert(.subtitle) }
        let text = BusText.text(of: content)
        guard !text.isEmpty else { return }
        if capabilities.features.contains(.body) {
            body = capabilities.readsMarkup ? Markup.escaped(text) : text
        } else {
            degraded.insert(.body)
        }
    }

    private mutating func setLevel(_ level: UserNotificationLevel, isBanner: Bool) {
        let urgency: UInt8 =
            switch level {
            case .passive: 0
            case .active, .timeSensitive: 1
            case .critical: 2
            }
        if level == .timeSensitive { degraded.insert(.level) }
        hints["urgency"] = .byte(isBanner ? urgency : 0)
    }

    private mutating func setSound(
        _ sound: UserNotificationSound?,
        _ capabilities: DaemonCapabilities,
        player: SoundPlayer?
    ) {
        guard let sound else {
            hints["suppress-sound"] = .bool(true)
            return
        }
        if !capabilities.features.contains(.sound), let command = player?.command(for: sound) {
            soundCommand = command
            hints["suppress-sound"] = .bool(true)
            return
        }
        switch sound {
        case .default, .named:
            guard capabilities.features.contains(.sound) else {
                _ = degraded.insert(.sound)
                return
            }
            let name = if case .named(let name) = sound { name } else { SoundPlayer.defaultName }
            hints["sound-name"] = .string(BusText.readable(name))
        case .file(let path):
            guard capabilities.features.contains(.soundFile), path.hasPrefix("/") else {
                _ = degraded.insert(.soundFile)
                return
            }
            hints["sound-file"] = .string(BusText.lines(path))
        }
    }

    private mutating func attach(
        _ attachment: UserNotificationPicture,
        _ capabilities: DaemonCapabilities
    ) {
        let hasImage = hints["image-path"] != nil || hints["image-data"] != nil
        guard capabilities.features.contains(.image), !hasImage else {
            _ = degraded.insert(.image)
            return
        }
        switch attachment.source {
        case .pixels(let image): hints["image-data"] = ImageHint.value(of: image)
        case .file(let path):
            guard let address = ImageHint.address(of: path) else {
                _ = degraded.insert(.image)
                return
            }
            hints["image-path"] = .string(address)
        }
    }
}
#endif
