// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A notification that was delivered.
public struct UserNotification: Hashable, Sendable, Codable, Identifiable {
    /// The delivery; each replacement has a new one.
    public let id: NotificationDelivery
    /// The content.
    public let content: UserNotificationContent
    /// The actions of its content, or those of its category at the time of delivery.
    public let actions: [NotificationAction]
    /// The options of its category at the time of delivery.
    public let options: NotificationCategory.Options
    /// The date of delivery.
    public let date: Date
    /// The ways in which it was shown; empty if it was suppressed and only listed.
    public internal(set) var presentation: PresentationOptions
    /// Whether the person has read it in the program's own list.
    public internal(set) var isRead: Bool
    /// Whether it was due earlier than it could be delivered.
    public let isOverdue: Bool

    /// The identifier of the request.
    public var identifier: String { id.identifier }

    /// Creates a notification, for tests of a backend; a center creates its own.
    ///
    /// - Parameters:
    ///   - id: The delivery.
    ///   - content: The content.
    ///   - actions: The actions that it offers.
    ///   - options: The options of its category.
    ///   - date: The date of delivery.
    ///   - presentation: The ways in which it is shown.
    ///   - isRead: Whether the person has read it in the program's own list.
    ///   - isOverdue: Whether it was due earlier than it could be delivered.
    public init(
        id: NotificationDelivery,
        content: UserNotificationContent,
        actions: [NotificationAction] = [],
        options: NotificationCategory.Options = [],
        date: Date,
        presentation: PresentationOptions = .all,
        isRead: Bool = false,
        isOverdue: Bool = false
    ) {
        self.id = id
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
public struct NotificationDelivery: Hashable, Sendable, Codable {
    /// The identifier of the request.
    public let identifier: String
    /// A number that distinguishes deliveries of the same identifier and grows with each.
    public let number: Int

    /// Creates a delivery, for tests of a backend; a center creates its own.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the request.
    ///   - number: A number that distinguishes deliveries of the same identifier.
    public init(identifier: String, number: Int) {
        self.identifier = identifier
        self.number = number
    }
}

extension UserNotification {
    /// Throws if the notification does not offer an action.
    func check(_ action: NotificationResponse.Action) throws(UserNotificationError) {
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
        _ matches: (NotificationAction) -> Bool
    ) -> Bool {
        actions.contains { $0.identifier == name && matches($0) }
    }
}
