// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineHousehold
import OfflineModel
import OfflineStore
import TidingsLock
import TidingsUserNotifications

/// The notifications of downloads that ended on another machine of the household.
extension LibraryNotifications {
    /// The thread of these notifications.
    static let elsewhere = "elsewhere"
    private static let pageKey = "page"
    /// The maximum number of these notifications.
    ///
    /// The limit keeps other machines from displacing this machine's notifications in the list.
    static let mostElsewhere = 50

    /// Returns the notifications to remove before one more is added, the oldest first.
    static func surplus(in listed: [UserNotification]) -> [String] {
        let others = listed.filter { $0.content.thread == elsewhere }.map(\.identifier)
        return Array(others.dropLast(mostElsewhere - 1))
    }

    func notify(_ news: DownloadEndedElsewhere) {
        if news.failure == nil, settings.notify == .failures { return }
        let isReady = news.failure == nil
        var content = UserNotificationContent(
            title: news.title,
            body: news.failure.map { "Failed on \(news.machine): \($0)" }
                ?? "Ready on \(news.machine).",
            sound: .named(isReady ? Self.sounds.success : Self.sounds.failure),
            category: Category.elsewhere
        )
        content.kind = isReady ? .transferComplete : .transferError
        content.thread = Self.elsewhere
        if let page = news.page {
            content.userInfo = [Self.pageKey: "\(page)", Self.itemKey: "\(news.item)"]
            let plays = isReady && news.isPlayable
            content.actions = [
                UserNotificationAction(
                    plays ? Category.play : Category.openLibrary,
                    title: plays ? "Play" : "Open Its Page",
                    // Without a film to play, a click on the notification does the same.
                    options: plays ? .foreground : [.foreground, .opens]
                )
            ]
        }
        let identifier = "elsewhere-\(news.origin)-\(news.item)"
        enqueue(.deliver(UserNotificationRequest(identifier: identifier, content: content)))
    }

    /// Returns the page of the other machine, or this library if that page cannot be reached.
    func targetElsewhere(of response: UserNotificationResponse) -> NavigationRequested {
        let notification = response.notification
        let values = notification.content.userInfo
        return NavigationRequested(
            place: .library,
            item: values[Self.itemKey]?.string.flatMap { ItemID($0) },
            plays: response.action == .custom(Category.play),
            isInPage: pageResponses.withLock { $0.contains(notification.identifier) },
            activationToken: response.activationToken,
            machine: values[Self.pageKey]?.string.flatMap { MachinePage($0) }
        )
    }

    /// Returns the summary of these notifications, the oldest first.
    static func summaryElsewhere(of notifications: [UserNotification]) -> UserNotificationContent {
        var content = summary(of: notifications)
        content.title =
            notifications.count == 1
            ? "1 download ended on another machine"
            : "\(notifications.count) downloads ended on other machines"
        content.thread = elsewhere
        let hasFailure = notifications.contains { $0.content.kind == .transferError }
        content.kind = hasFailure ? .transferError : .transferComplete
        // One button could not open the pages of several machines.
        content.actions = []
        return content
    }
}
