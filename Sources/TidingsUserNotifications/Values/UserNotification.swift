// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A notification that was delivered.
public struct UserNotification: Hashable, Sendable, Codable, Identifiable {
    /// Which delivery this is; a notification that takes another's place has a new one.
    public let id: NotificationDelivery
    /// What it says.
    public let content: UserNotificationContent
    /// The actions of its category, as they were when it was delivered.
    public let actions: [NotificationAction]
    /// What its category was like when it was delivered.
    public let options: NotificationCategory.Options
    /// When it was delivered.
    public let date: Date
    /// How it was shown; empty if it was suppressed and only listed.
    public internal(set) var presentation: PresentationOptions
    /// Whether the person has seen it in the program's own list.
    public internal(set) var isRead: Bool
    /// Whether its time had passed before it could be delivered.
    public let isOverdue: Bool

    /// The identifier of the request.
    public var identifier: String { id.identifier }

    /// Creates a notification, as a test of a backend needs it; a center creates its own.
    ///
    /// - Parameters:
    ///   - id: Which delivery this is.
    ///   - content: What it says.
    ///   - actions: The actions that it offers.
    ///   - options: What its category is like.
    ///   - date: When it was delivered.
    ///   - presentation: How it is shown.
    ///   - isRead: Whether the person has seen it in the program's own list.
    ///   - isOverdue: Whether its time had passed before it could be delivered.
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
    /// Tells it from other deliveries of the same identifier; grows with each.
    public let number: Int

    /// Creates a delivery, as a test of a backend needs it; a center creates its own.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the request.
    ///   - number: Tells it from other deliveries of the same identifier.
    public init(identifier: String, number: Int) {
        self.identifier = identifier
        self.number = number
    }
}

extension UserNotification {
    /// Whether a person can do this with it.
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
                "“\(identifier)” does not offer \(action)."
            )
        }
    }

    private func offers(
        _ name: String,
        _ isSuch: (NotificationAction) -> Bool
    ) -> Bool {
        actions.contains { $0.identifier == name && isSuch($0) }
    }
}
