// SPDX-License-Identifier: Apache-2.0
#if canImport(UserNotifications)
import Foundation
import UserNotifications

extension UserNotification {
    /// Under which a notification of the system has the number of its delivery.
    static let systemNumberKey = "tidings.number"

    /// The category of this delivery alone.
    ///
    /// The system knows categories by name, and their actions differ from delivery to delivery.
    var ownCategory: NotificationCategory? {
        guard !actions.isEmpty || !options.isEmpty else { return nil }
        let names = actions.map { "\($0.identifier)=\($0.title)" }.joined(separator: " ")
        let identifier = "\(content.category ?? "") \(options.rawValue) \(names)"
        return NotificationCategory(identifier, actions: actions, options: options)
    }

    /// As the system wants it, and which attachments it does not take.
    func systemContent() -> (UNNotificationContent, degraded: NotificationFeatures) {
        let made = UNMutableNotificationContent()
        made.title = content.title
        made.subtitle = content.subtitle
        made.body = content.body
        made.badge = content.badge.map { NSNumber(value: max(0, $0)) }
        made.threadIdentifier = content.thread ?? ""
        made.userInfo = [Self.systemNumberKey: id.number]
        made.categoryIdentifier = ownCategory?.identifier ?? ""
        made.interruptionLevel =
            switch content.level {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
        made.sound = presentation.contains(.sound) ? content.sound?.systemSound : nil
        var degraded: NotificationFeatures = []
        for attachment in content.attachments {
            if let copy = attachment.copyForSystem() {
                made.attachments.append(copy)
            } else {
                degraded.formUnion(attachment.neededFeature)
            }
        }
        return (made, degraded)
    }
}

extension NotificationSound {
    fileprivate var systemSound: UNNotificationSound {
        switch self {
        case .default: .default
        case .named(let name): UNNotificationSound(named: UNNotificationSoundName(name))
        case .file(let path):
            // The system plays files of the program's own folders, by their names.
            UNNotificationSound(
                named: UNNotificationSoundName((path as NSString).lastPathComponent)
            )
        }
    }
}

extension NotificationAttachment {
    /// A copy that the system may move away; the caller's file stays where it is.
    fileprivate func copyForSystem() -> UNNotificationAttachment? {
        guard case .file(let path) = source else { return nil }
        let (file, files) = (URL(fileURLWithPath: path), FileManager.default)
        let folder = files.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        // What the system has not moved goes with the folder.
        defer { try? files.removeItem(at: folder) }
        do {
            let copy = folder.appendingPathComponent(file.lastPathComponent)
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            try files.copyItem(at: file, to: copy)
            return try UNNotificationAttachment(identifier: "", url: copy, options: nil)
        } catch {
            return nil
        }
    }
}

extension NotificationCategory {
    var systemCategory: UNNotificationCategory {
        UNNotificationCategory(
            identifier: identifier,
            actions: actions.map(\.systemAction),
            intentIdentifiers: [],
            options: options.contains(.reportsDismissal) ? .customDismissAction : []
        )
    }
}

extension NotificationAction {
    fileprivate var systemAction: UNNotificationAction {
        var wanted: UNNotificationActionOptions = []
        if options.contains(.foreground) { wanted.insert(.foreground) }
        if options.contains(.destructive) { wanted.insert(.destructive) }
        guard let textInput else {
            return UNNotificationAction(identifier: identifier, title: title, options: wanted)
        }
        return UNTextInputNotificationAction(
            identifier: identifier,
            title: title,
            options: wanted,
            textInputButtonTitle: textInput.button ?? title,
            textInputPlaceholder: textInput.placeholder
        )
    }
}
#endif
