// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Tidings
import TidingsUserNotifications

/// A delivered user notification as the API returns it.
struct NotificationJSON: Codable, Sendable {
    struct Action: Codable, Sendable {
        var id: String
        var title: String
    }

    var id: String
    var title: String
    var body: String
    var category: String?
    var date: Date
    var isRead: Bool
    /// Whether the page must show it as a banner; false if the desktop has shown it.
    var banner: Bool
    var itemID: ItemID?
    var actions: [Action]

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

struct NotificationListJSON: Codable, Sendable {
    var notifications: [NotificationJSON]
    var unread: Int
}

/// The target of the page's navigation after a response.
struct DestinationJSON: Codable, Sendable {
    /// The section of the page.
    var open: NavigationRequested.Place
    var itemID: ItemID?
    /// Whether the page must play the item.
    var play: Bool
    /// The address of another machine's page to open instead.
    var address: String?
}

struct UnreadJSON: Codable, Sendable {
    var unread: Int
}

/// The response of `GET /api/preferences` and the request of `POST`.
struct PreferencesJSON: Codable, Sendable {
    var notifications: NotificationPreference
}

/// The person's response to a notification: an action's identifier; nil for a tap.
struct ResponseJSON: Codable, Sendable {
    var action: String?
}

extension Router {
    func preferences() async throws -> ServerResponse {
        .json(PreferencesJSON(notifications: try await notifications.preference()))
    }

    func setPreferences(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(PreferencesJSON.self, from: request.body)
        guard let isGranted = wanted.notifications.isGranted else {
            throw ServerError(.badRequest, "Unknown answer. Use “granted” or “denied”.")
        }
        try await notifications.setPreference(isGranted: isGranted)
        return try await preferences()
    }

    /// Stores whether a page is in front: while one is, the desktop shows no notifications.
    func setPresence(_ request: ServerRequest) throws -> ServerResponse {
        let presence = try JSONCoding.decode(PresenceJSON.self, from: request.body)
        guard hub.setInFront(presence.inFront, client: presence.client) else {
            return .failure(
                404,
                "notFound",
                "The event stream of page \(presence.client) has ended. "
                    + "Connect to /api/events again."
            )
        }
        return .json(presence)
    }

    func listNotifications() async throws -> ServerResponse {
        // Waits for the stored notifications, so that an early request does not get an empty list.
        await notifications.center.started()
        let isDesktopThere = try await notifications.center.settings().status != .unavailable
        let notifications = notifications
        return .json(
            NotificationListJSON(
                notifications: notifications.center.delivered().reversed().map { notification in
                    NotificationJSON(
                        notification,
                        banner: notifications.isForPage(
                            notification,
                            isDesktopThere: isDesktopThere
                        )
                    )
                },
                unread: notifications.center.unreadCount()
            )
        )
    }

    func markNotificationsRead() async throws -> ServerResponse {
        notifications.center.markRead()
        return try await listNotifications()
    }

    func respondToNotification(
        _ identifier: Substring,
        _ request: ServerRequest
    ) throws -> ServerResponse {
        let wanted = try JSONCoding.decode(ResponseJSON.self, from: request.body)
        let target = try notifications.respond(to: String(identifier), action: wanted.action)
        return .json(
            DestinationJSON(
                open: target.place,
                itemID: target.machine == nil ? target.item : nil,
                play: target.plays && target.machine == nil,
                address: target.machine?.address(playing: target.plays ? target.item : nil)
            )
        )
    }
}
