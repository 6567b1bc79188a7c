// SPDX-License-Identifier: Apache-2.0

/// The level of interruption of a notification.
@nonexhaustive public enum UserNotificationLevel: String, Hashable, Sendable, Codable, CaseIterable
{
    /// Only listed, without a sound.
    case passive
    /// Shown immediately.
    case active
    /// Shown even in most quiet modes.
    case timeSensitive
    /// Shown in every mode, until the user dismisses the notification.
    case critical
}
