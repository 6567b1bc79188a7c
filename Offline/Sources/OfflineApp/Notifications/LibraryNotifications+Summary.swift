// SPDX-License-Identifier: Apache-2.0
import TidingsUserNotifications

/// The bubble on the desktop that stands for many finished and failed downloads.
extension LibraryNotifications {
    /// The thread of the downloads' notifications.
    static let downloads = "downloads"
    /// The number of titles that a summary names.
    private static let namedCount = 3

    /// Returns the summary of downloads' notifications, the oldest first.
    static func summary(of notifications: [UserNotification]) -> UserNotificationContent {
        let failedCount = notifications.count { isFailure($0.content) }
        let readyCount = notifications.count - failedCount
        let title =
            switch (readyCount, failedCount) {
            case (_, 0): downloads(readyCount, one: "is ready", many: "are ready")
            case (0, _):
                downloads(failedCount, one: "needs your attention", many: "need your attention")
            default:
                downloads(readyCount, one: "is ready", many: "are ready") + ", \(failedCount) "
                    + (failedCount == 1 ? "needs" : "need") + " your attention"
            }
        var lines = notifications.reversed().prefix(namedCount).map(\.content.title)
        let rest = notifications.count - lines.count
        if rest > 0 { lines.append("and \(rest) more") }
        let newest = notifications.last
        var content = UserNotificationContent(
            title: title,
            body: lines.joined(separator: "\n"),
            sound: newest?.content.sound,
            thread: downloads
        )
        content.kind = failedCount == 0 ? .transferComplete : .transferError
        // A tap and the only button both lead to the place of the newest download.
        content.actions = newest?.actions.filter { $0.identifier == Category.openLibrary }
        return content
    }

    private static func downloads(_ count: Int, one: String, many: String) -> String {
        count == 1 ? "1 download \(one)" : "\(count) downloads \(many)"
    }

    private static func isFailure(_ content: UserNotificationContent) -> Bool {
        content.category.map(Category.failures.contains) ?? false
    }
}
