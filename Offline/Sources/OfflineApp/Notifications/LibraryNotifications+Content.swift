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
            title: "Download complete",
            body: "\(message.item.title) is in your library.",
            category: Category.complete,
            kind: .transferComplete
        )
    }

    func notify(_ message: DownloadFailed) {
        notify(
            message.item,
            title: "Download failed",
            body: "\(message.item.title): \(message.error.message)",
            category: Category.failed,
            kind: .transferError
        )
    }

    func notify(_ message: DownloadPaused) {
        notify(
            message.item,
            title: "Download paused",
            body: "\(message.item.title): \(message.error.message)",
            category: Category.failed,
            kind: .transferError
        )
    }

    func notify(
        _ item: MediaItem,
        title: String,
        body: String,
        category: String,
        kind: NotificationKind
    ) {
        var content = UserNotificationContent(
            title: title,
            body: body,
            sound: .default,
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

    func enqueue(_ event: Event) {
        if case .dropped = continuation.yield(event) { dropped.withLock { $0 += 1 } }
    }
}
