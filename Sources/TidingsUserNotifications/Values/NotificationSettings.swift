// SPDX-License-Identifier: Apache-2.0

/// What a person has allowed, and what of it can be shown now.
public struct NotificationSettings: Hashable, Sendable {
    /// Whether the program may notify, and whether there is somebody who shows it.
    public let status: AuthorizationStatus
    /// What whoever shows notifications can show.
    public let features: NotificationFeatures
    /// Whether notifications are shown.
    public let alert: Bool
    /// Whether they are heard.
    public let sound: Bool
    /// Whether a number is shown at the program's name.
    public let badge: Bool
}
