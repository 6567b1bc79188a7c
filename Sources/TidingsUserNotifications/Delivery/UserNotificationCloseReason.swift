// SPDX-License-Identifier: Apache-2.0

/// The reason why a notification is no longer shown.
@nonexhaustive public enum UserNotificationCloseReason: Hashable, Sendable {
    /// Its display time ended.
    case expired
    /// The person dismissed it.
    case dismissed
    /// A program closed it.
    case closedByProgram
    /// The backend gave no reason.
    case unknown
}
