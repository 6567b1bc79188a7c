// SPDX-License-Identifier: Apache-2.0

/// A notification that a program wants shown, now or when its trigger fires.
///
/// ```swift
/// let request = UserNotificationRequest(
///     identifier: "tea",
///     content: .init(title: "The tea is ready"),
///     trigger: .after(.seconds(240))
/// )
/// ```
public struct UserNotificationRequest: Hashable, Sendable, Codable {
    /// Names the notification; a later request with this name takes its place.
    public var identifier: String
    /// What it says.
    public var content: UserNotificationContent
    /// When it is delivered.
    public var trigger: NotificationTrigger
    /// What becomes of it when its time passes while the program does not run.
    public var ifOverdue: OverduePolicy

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - identifier: Names the notification; a later request with this name takes its place.
    ///   - content: What it says.
    ///   - trigger: When it is delivered; at once, unless stated.
    ///   - ifOverdue: What becomes of it when its time passes while the program does not run.
    public init(
        identifier: String,
        content: UserNotificationContent,
        trigger: NotificationTrigger = .now,
        ifOverdue: OverduePolicy = .deliver
    ) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
        self.ifOverdue = ifOverdue
    }
}
