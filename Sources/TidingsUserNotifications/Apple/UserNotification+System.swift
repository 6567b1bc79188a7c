// SPDX-License-Identifier: Apache-2.0
#if canImport(UserNotifications)
import Foundation
import UserNotifications

extension UserNotification {
    /// The key under which a system notification stores the number of its delivery.
    static let systemNumberKey = "tidings.number"

    /// A category for this delivery alone.
    ///
    /// The system finds categories by name, but the actions may differ between deliveries.
    var ownCategory: NotificationCategory? {
        guard !actions.isEmpty || !options.isEmpty else { return nil }
        let names = actions.map { "\($0.identifier)=\($0.title)" }.joined(separator: " ")
        let identifier = "\(content.category ?? "") \(options.rawValue) \(names)"
        return NotificationCategory(identifier, actions: actions, options: options)
    }

    /// Returns the content for the system, and the features of attachments that the system rejects.
    func systemContent() -> (UNNotificationContent, degraded: NotificationFeatures) {
        let result = UNMutableNotificationContent()
        result.title = content.title
        result.subtitle = content.subtitle
        result.body = content.body
        result.badge = content.badge.map { NSNumber(value: max(0, $0)) }
        result.threadIdentifier = content.thread ?? ""
        result.userInfo = [Self.systemNumberKey: id.number]
        result.categoryIdentifier = ownCategory?.identifier ?? ""
        result.interruptionLevel =
            switch content.level {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
        result.sound = presentation.contains(.sound) ? content.sound?.systemSound : nil
        var degraded: NotificationFeatures = []
        for attachment in content.attachments {
            if let copy = attachment.copyForSystem() {
                result.attachments.append(copy)
            } else {
                degraded.insert(.image)
            }
        }
        return (result, degraded)
    }
}

extension NotificationSound {
    fileprivate var systemSound: UNNotificationSound {
        switch self {
        case .default: .default
        case .named(let name): UNNotificationSound(named: UNNotificationSoundName(name))
        case .file(let path):
            // The system plays sound files from the program's own folders, by name.
            UNNotificationSound(
                named: UNNotificationSoundName((path as NSString).lastPathComponent)
            )
        }
    }
}

extension NotificationAttachment {
    /// A copy that the system may move; the caller's file stays in place.
    fileprivate func copyForSystem() -> UNNotificationAttachment? {
        guard case .file(let path) = source else { return nil }
        let (file, files) = (URL(fileURLWithPath: path), FileManager.default)
        let folder = files.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        // Files that the system has not moved are removed with the folder.
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
