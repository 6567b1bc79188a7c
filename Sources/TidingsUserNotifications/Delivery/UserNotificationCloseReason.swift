// SPDX-License-Identifier: Apache-2.0

/// The reason why a notification is no longer shown.
@nonexhaustive public enum UserNotificationCloseReason: Hashable, Sendable {
    /// The display time ended.
    case expired
    /// The user dismissed the notification.
    case dismissed
    /// A program closed the notification.
    case closedByProgram
    /// The backend gave no reason.
    case unknown
}
