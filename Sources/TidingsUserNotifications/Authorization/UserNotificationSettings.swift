// SPDX-License-Identifier: Apache-2.0

/// The permissions of a program, and the features that can be shown now.
public struct UserNotificationSettings: Hashable, Sendable {
    /// Whether the program may notify, and whether the backend can show notifications.
    public let status: UserNotificationAuthorizationStatus
    /// The features of the backend.
    public let features: UserNotificationFeatures
    /// The permissions that take effect now, granted by the user and supported by the backend.
    public let allowed: UserNotificationAuthorizationOptions
}
