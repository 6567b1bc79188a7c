// SPDX-License-Identifier: Apache-2.0

/// A notification that a program wants shown, now.
public struct UserNotificationRequest: Hashable, Sendable {
    /// Names the notification; a later request with this name takes its place.
    public var identifier: String
    /// What it says.
    public var content: UserNotificationContent

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - identifier: Names the notification; a later request with this name takes its place.
    ///   - content: What it says.
    public init(identifier: String, content: UserNotificationContent) {
        self.identifier = identifier
        self.content = content
    }
}
