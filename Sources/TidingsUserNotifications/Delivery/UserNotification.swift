// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A notification that was delivered.
public struct UserNotification: Hashable, Sendable, Codable {
    /// The delivery, which is new for each replacement.
    package let id: NotificationDelivery
    /// The delivery that a later run finds, for a notification that is not in the store itself, or
    /// nil for other notifications.
    package let activationID: NotificationDelivery?
    /// The content.
    public let content: UserNotificationContent
    /// The actions of the content, or else the actions of the category at the time of delivery.
    public let actions: [UserNotificationAction]
    /// The options of the category at the time of delivery.
    package let options: UserNotificationCategory.Options
    /// The date of delivery.
    public let date: Date
    /// The ways in which the notification was shown, or none if it was suppressed and only listed.
    public internal(set) var presentation: UserNotificationPresentationOptions
    /// Whether the user has read the notification in the program's own list.
    public internal(set) var isRead: Bool
    /// Whether the notification was due before the delivery was possible.
    public let isOverdue: Bool

    /// The identifier of the request.
    public var identifier: String { id.identifier }

    /// Creates a notification for tests of a backend.
    ///
    /// Outside tests, the center creates notifications.
    ///
    /// - Parameters:
    ///   - id: The delivery.
    ///   - activationID: The delivery that a later run finds, if different from `id`.
    ///   - content: The content.
    ///   - actions: The actions that the notification offers.
    ///   - options: The options of the category.
    ///   - date: The date of delivery.
    ///   - presentation: The ways in which the notification is shown.
    ///   - isRead: Whether the user has read the notification in the program's own list.
    ///   - isOverdue: Whether the notification was due before the delivery was possible.
    package init(
        id: NotificationDelivery,
        activationID: NotificationDelivery? = nil,
        content: UserNotificationContent,
        actions: [UserNotificationAction] = [],
        options: UserNotificationCategory.Options = [],
        date: Date,
        presentation: UserNotificationPresentationOptions = .all,
        isRead: Bool = false,
        isOverdue: Bool = false
    ) {
        self.id = id
        self.activationID = activationID
        self.content = content
        self.actions = actions
        self.options = options
        self.date = date
        self.presentation = presentation
        self.isRead = isRead
        self.isOverdue = isOverdue
    }
}

/// One delivery of one notification.
package struct NotificationDelivery: Hashable, Sendable, Codable {
    /// The identifier of the request.
    package let identifier: String
    /// A number that distinguishes deliveries of the same identifier and grows with each.
    package let number: Int

    /// Creates a delivery for tests of a backend.
    ///
    /// Outside tests, the center creates deliveries.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the request.
    ///   - number: A number that distinguishes deliveries of the same identifier.
    package init(identifier: String, number: Int) {
        self.identifier = identifier
        self.number = number
    }
}

extension UserNotification {
    /// Throws if the notification does not offer an action.
    func check(_ action: UserNotificationResponse.Action) throws(UserNotificationError) {
        let isOffered =
            switch action {
            case .open, .dismissed: true
            case .custom(let name): offers(name) { $0.textInput == nil }
            case .reply(let name, _): offers(name) { $0.textInput != nil }
            }
        guard isOffered else {
            throw UserNotificationError(
                .unknownAction,
                "The notification “\(identifier)” does not offer \(action). Use one of its actions."
            )
        }
    }

    private func offers(
        _ name: String,
        _ matches: (UserNotificationAction) -> Bool
    ) -> Bool {
        actions.contains { $0.identifier == name && matches($0) }
    }
}
