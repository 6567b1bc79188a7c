// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import TidingsUserNotifications

/// The operations on the inbox and on the permission for notifications.
package struct NotificationOperations: Sendable {
    /// Returns the user's permission for notifications.
    package let preferences = get("/preferences") {
        (notifications: any NotificationService, _: NoContent) in
        PreferencesJSON(notifications: try await notifications.preference())
    }

    /// Sets the user's permission for notifications.
    package let setPreferences = post("/preferences") {
        (notifications: any NotificationService, wanted: PreferencesJSON) in
        guard let isGranted = wanted.notifications.isGranted else {
            throw APIError(.badRequest, "Unknown answer. Use “granted” or “denied”.")
        }
        try await notifications.setPreference(isGranted: isGranted)
        return PreferencesJSON(notifications: try await notifications.preference())
    }

    /// Returns the inbox, the newest notification first.
    package let list = get("/notifications") {
        (notifications: any NotificationService, _: NoContent) in try await notifications.inbox()
    }

    /// Marks all notifications as read.
    package let markRead = post("/notifications/read") {
        (notifications: any NotificationService, _: NoContent) in
        notifications.center.markRead()
        return try await notifications.inbox()
    }

    /// Sends the user's response to a notification.
    package let respond = post("/notifications/{id}/response", 404) {
        (notifications: any NotificationService, input: Addressed<String, ResponseJSON>) in
        let target = try notifications.respond(to: input.target, action: input.body.action)
        return DestinationJSON(
            open: target.place,
            itemID: target.machine == nil ? target.item : nil,
            play: target.plays && target.machine == nil,
            address: target.machine?.address(playing: target.plays ? target.item : nil)
        )
    }
}

extension NotificationService {
    fileprivate func inbox() async throws -> NotificationListJSON {
        // Waits for the stored notifications, so that an early request does not get an empty list.
        await center.started()
        let isDesktopThere = try await center.settings().status != .unavailable
        return NotificationListJSON(
            notifications: center.delivered().reversed().map {
                NotificationJSON($0, banner: isForPage($0, isDesktopThere: isDesktopThere))
            },
            unread: center.unreadCount()
        )
    }
}

/// A delivered user notification in the form in which the API returns notifications.
package struct NotificationJSON: Codable, Sendable {
    struct Action: Codable, Sendable {
        var id: String
        var title: String
    }

    let id: String
    let title: String
    let body: String
    let category: String?
    let date: Date
    let isRead: Bool
    /// Whether the page must show the notification as a banner.
    ///
    /// False if the desktop has shown it.
    let banner: Bool
    let itemID: ItemID?
    let actions: [Action]

    init(_ notification: UserNotification, banner: Bool) {
        self.banner = banner
        id = notification.identifier
        title = notification.content.title
        body = notification.content.body
        category = notification.content.category
        date = notification.date
        isRead = notification.isRead
        itemID = notification.content.userInfo["item"]?.string.flatMap { ItemID($0) }
        actions = notification.actions.map { Action(id: $0.identifier, title: $0.title) }
    }
}

/// The response of `GET /api/notifications`.
package struct NotificationListJSON: Codable, Sendable {
    let notifications: [NotificationJSON]
    let unread: Int
}

/// The target of the page's navigation after a response.
package struct DestinationJSON: Codable, Sendable {
    /// The section of the page.
    let open: NavigationRequested.Place
    let itemID: ItemID?
    /// Whether the page must play the item.
    let play: Bool
    /// The address of another machine's page to open instead.
    let address: String?
}

/// The response of `GET /api/preferences` and the request of `POST`.
package struct PreferencesJSON: JSONInput {
    let notifications: NotificationPreference

    /// Creates the value.
    package init(notifications: NotificationPreference) { self.notifications = notifications }
}

/// The user's response to a notification.
///
/// The action is an identifier, or nil for a tap.
package struct ResponseJSON: JSONInput {
    let action: String?
}
