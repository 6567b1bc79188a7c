// SPDX-License-Identifier: Apache-2.0

/// The permissions of a program, and the features that can be shown now.
public struct NotificationSettings: Hashable, Sendable {
    /// Whether the program may notify, and whether the backend can show notifications.
    public let status: AuthorizationStatus
    /// The features of the backend.
    public let features: NotificationFeatures
    /// Whether notifications are shown.
    public let alert: Bool
    /// Whether notifications have sounds.
    public let sound: Bool
    /// Whether a badge is shown.
    public let badge: Bool
}
