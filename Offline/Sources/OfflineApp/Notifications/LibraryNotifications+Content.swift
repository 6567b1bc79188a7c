// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineServer
import Tidings
import TidingsLock
import TidingsUserNotifications

extension LibraryNotifications {
    static let itemKey = "item"

    func notify(_ message: DownloadCompleted) {
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
            body: "Failed: \(message.error.message)",
            category: message.error.isFinal ? Category.refused : Category.failed,
            kind: .transferError
        )
    }

    func notify(_ message: DownloadPaused) {
        notify(
            message.item,
            body: "Paused: \(message.error.message)",
            category: Category.failed,
            kind: .transferError
        )
    }

    func notify(
        _ item: MediaItem,
        body: String,
        category: String,
        kind: NotificationKind
    ) {
        var content = UserNotificationContent(
            // First, because a desktop may show no more than this.
            title: item.title,
            body: body,
            sound: .named(kind == .transferComplete ? Self.sounds.success : Self.sounds.failure),
            category: category,
            userInfo: [Self.itemKey: .string(item.id.description)]
        )
        content.kind = kind
        content.thread = "downloads"
        if item.hasPicture {
            content.attachments = [.image(file: library.directory.picture(of: item.id))]
        }
        let identifier = Self.identifier(of: item.id)
        enqueue(.deliver(UserNotificationRequest(identifier: identifier, content: content)))
    }

    /// The names of sounds in the themes of desktops: a success sounds other than a failure.
    static let sounds = (success: "complete-download", failure: "dialog-warning")

    func enqueue(_ event: Event) {
        if case .dropped = continuation.yield(event) { dropped.withLock { $0 += 1 } }
    }
}

extension MediaItem {
    /// Whether the page can play the file.
    fileprivate var isPlayable: Bool {
        mediaType.map { $0.hasPrefix("video/") || $0.hasPrefix("audio/") } ?? false
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
