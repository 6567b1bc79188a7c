import Foundation
import OfflineLibrary
// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsUserNotifications

/// A notification as the API shows it.
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
    /// Whether the page is to show it as a banner; if not, the desktop has.
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

/// Where the page goes after a response.
struct DestinationJSON: Codable, Sendable {
    /// The section of the page.
    var open: NavigationRequested.Place
    var itemID: ItemID?
    /// Whether the item is to be played.
    var play: Bool
}

struct UnreadJSON: Codable, Sendable {
    var unread: Int
}

/// What `GET /api/preferences` gives and `POST` takes.
struct PreferencesJSON: Codable, Sendable {
    var notifications: NotificationPreference
}

/// What a response to a notification takes: an action's id; nothing for a tap.
struct ResponseJSON: Codable, Sendable {
    var action: String?
}

extension Router {
    func preferences() async throws -> ServerResponse {
        .json(PreferencesJSON(notifications: try await notices.preference()))
    }

    func setPreferences(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(PreferencesJSON.self, from: request.body)
        guard let answer = wanted.notifications.answer else {
            throw ServerError(.badRequest, "The answer is “granted” or “denied”.")
        }
        try await notices.center.setAuthorization(answer)
        return try await preferences()
    }

    /// Who looks at the page needs no bubble on the desktop.
    func setPresence(_ request: ServerRequest) throws -> ServerResponse {
        let presence = try JSONCoding.decode(PresenceJSON.self, from: request.body)
        guard hub.setInFront(presence.inFront, client: presence.client) else {
            return .failure(
                404,
                "notFound",
                "No page has the number \(presence.client) any more; its stream of events has ended."
            )
        }
        return .json(presence)
    }

    func notifications() async throws -> ServerResponse {
        // Who asks right after the start gets what the run before has left, not an empty list.
        await notices.center.started()
        let isDesktopThere = try await notices.center.authorizationStatus() != .unavailable
        let notices = notices
        return .json(
            NotificationListJSON(
                notifications: notices.center.delivered().reversed().map { notification in
                    NotificationJSON(
                        notification,
                        banner: notices.isForPage(notification, isDesktopThere: isDesktopThere)
                    )
                },
                unread: notices.center.unreadCount()
            )
        )
    }

    func markNotificationsRead() async throws -> ServerResponse {
        notices.center.markRead()
        return try await notifications()
    }

    func respondToNotification(
        _ identifier: Substring,
        _ request: ServerRequest
    ) throws -> ServerResponse {
        let wanted = try JSONCoding.decode(ResponseJSON.self, from: request.body)
        let target = try notices.respond(to: String(identifier), action: wanted.action)
        return .json(
            DestinationJSON(open: target.place, itemID: target.item, play: target.plays)
        )
    }
}
