// SPDX-License-Identifier: Apache-2.0

/// A request to show a notification, now or when its trigger fires.
///
/// ```swift
/// let request = UserNotificationRequest(
///     identifier: "tea",
///     content: .init(title: "The tea is ready"),
///     trigger: .after(.seconds(240))
/// )
/// ```
public struct UserNotificationRequest: Hashable, Sendable, Codable {
    /// The name of the notification; a later request with the same name replaces it.
    public var identifier: String
    /// The content.
    public var content: UserNotificationContent
    /// The time of delivery.
    public var trigger: UserNotificationTrigger
    /// The treatment if it becomes due while the program is not running.
    public var ifOverdue: UserNotificationOverduePolicy

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - identifier: The name of the notification; a later request with the same name replaces
    ///     it.
    ///   - content: The content.
    ///   - trigger: The time of delivery.
    ///   - ifOverdue: The treatment if it becomes due while the program is not running.
    public init(
        identifier: String,
        content: UserNotificationContent,
        trigger: UserNotificationTrigger = .now,
        ifOverdue: UserNotificationOverduePolicy = .deliver
    ) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
        self.ifOverdue = ifOverdue
    }
}
