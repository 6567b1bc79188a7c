// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineModel
import OfflineStore
import TidingsUserNotifications

extension LibraryNotifications {
    static let itemKey = "item"

    func notify(_ message: DownloadCompleted) {
        if settings.notify == .failures {
            // An earlier notification would still report the item as failed.
            return enqueue(.remove(Self.identifier(of: message.item.id)))
        }
        notify(
            message.item,
            body: "Ready in your library.",
            category: message.item.isPlayable ? Category.complete : Category.completeFile,
            kind: .transferComplete
        )
    }

    func notify(_ message: DownloadFailed) {
        notify(
            message.item,
            body: "Failed: \(message.error.messageWithHosts)",
            category: message.error.isFinal ? Category.refused : Category.failed,
            kind: .transferError
        )
    }

    func notify(_ message: DownloadPaused) {
        notify(
            message.item,
            body: "Paused: \(message.error.messageWithHosts)",
            category: Category.failed,
            kind: .transferError
        )
    }

    func notify(
        _ item: MediaItem,
        body: String,
        category: String,
        kind: UserNotificationKind
    ) {
        var content = UserNotificationContent(
            // The title comes first, because a desktop may show nothing else.
            title: item.title,
            body: body,
            sound: .named(kind == .transferComplete ? Self.sounds.success : Self.sounds.failure),
            category: category,
            userInfo: [Self.itemKey: "\(item.id)"]
        )
        content.kind = kind
        content.thread = Self.downloads
        if item.hasPicture {
            content.picture = .file(library.directory.picture(of: item.id))
        }
        let identifier = Self.identifier(of: item.id)
        enqueue(.deliver(UserNotificationRequest(identifier: identifier, content: content)))
    }

    /// Returns a request whose text differs from other items' notifications with the same title.
    ///
    /// A desktop may draw notifications with the same text as one.
    static func distinct(
        _ request: UserNotificationRequest,
        from others: [String: UserNotificationContent]
    ) -> UserNotificationRequest {
        let content = request.content
        let same = others.filter { identifier, other in
            identifier != request.identifier && other.title == content.title
                && other.body.hasPrefix(content.body)
        }
        guard !same.isEmpty else { return request }
        var changed = request
        changed.content.body += " \(same.count + 1) items have this title."
        return changed
    }

    /// The names of sounds in desktop themes.
    ///
    /// A success sounds different from a failure.
    static let sounds = (success: "complete-download", failure: "dialog-warning")

    func enqueue(_ event: Event) {
        events.append(event)
    }
}

extension DownloadError {
    /// Whether another attempt at the same address would fail in the same way.
    fileprivate var isFinal: Bool {
        switch code {
        case .unsupported, .refused, .live, .several, .feed, .sameFile, .privateAddress: true
        default: false
        }
    }
}
