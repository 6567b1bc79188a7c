// SPDX-License-Identifier: Apache-2.0

/// How much a notification may disturb.
@nonexhaustive public enum NotificationLevel: String, Hashable, Sendable, Codable, CaseIterable {
    /// Only listed where notifications are listed, without a sound.
    case passive
    /// Shown at once.
    case active
    /// Shown even when a person wants to be left alone for most things.
    case timeSensitive
    /// Shown whatever else is wanted, until somebody takes it away.
    case critical
}
