// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A notification that was delivered.
public struct UserNotification: Hashable, Sendable, Identifiable {
    /// Which delivery this is; a notification that takes another's place has a new one.
    public let id: NotificationDelivery
    /// What it says.
    public let content: UserNotificationContent
    /// The actions of its category, as they were when it was delivered.
    public let actions: [NotificationAction]
    /// When it was delivered.
    public let date: Date
    /// How it was shown; empty if it was suppressed and only listed.
    public internal(set) var presentation: PresentationOptions
    /// Whether the person has seen it in the program's own list.
    public internal(set) var isRead: Bool

    /// The identifier of the request.
    public var identifier: String { id.identifier }
}

/// One delivery of one notification.
public struct NotificationDelivery: Hashable, Sendable {
    /// The identifier of the request.
    public let identifier: String
    /// Tells it from other deliveries of the same identifier; grows with each.
    public let number: Int
}

extension UserNotification {
    /// Whether a person can do this with it.
    func check(_ action: NotificationResponse.Action) throws(UserNotificationError) {
        guard case .custom(let name) = action else { return }
        guard actions.contains(where: { $0.identifier == name }) else {
            throw UserNotificationError(
                .unknownAction,
                "“\(identifier)” does not offer “\(name)”."
            )
        }
    }
}
