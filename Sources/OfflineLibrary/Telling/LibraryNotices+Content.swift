// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsUserNotifications

extension LibraryNotices {
    static let itemKey = "item"

    func tell(_ message: DownloadCompleted) {
        tell(
            message.item,
            title: "Download complete",
            body: "\(message.item.title) is in your library.",
            category: Category.complete,
            kind: .transferComplete
        )
    }

    func tell(_ message: DownloadFailed) {
        tell(
            message.item,
            title: "Download failed",
            body: "\(message.item.title): \(message.error.message)",
            category: Category.failed,
            kind: .transferError
        )
    }

    func tell(
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
        enqueue(.tell(UserNotificationRequest(identifier: identifier, content: content)))
    }

    func enqueue(_ event: Event) {
        if case .dropped = feed.yield(event) { lost.withLock { $0 += 1 } }
    }
}
