// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// A failed request for a notification or for authorization, or a response without a notification.
///
/// ```swift
/// do {
///     try await notifications.add(request)
/// } catch where error.code == .pendingLimit {
///     removeTheOldest()
/// }
/// ```
public typealias UserNotificationError = CodedError<UserNotificationErrorCode>

/// The codes of ``UserNotificationError``.
@nonexhaustive public enum UserNotificationErrorCode: String, ErrorCode {
    /// The user has denied notifications.
    case denied
    /// The user has not been asked yet.
    case notDetermined
    /// The task was cancelled while waiting for the answer.
    case cancelled
    /// The store could not read or write, and `cause` has the reason.
    case storeFailed
    /// The trigger never fires, or repeats too often.
    case invalidTrigger
    /// The maximum number of requests is pending, and nothing was changed.
    case pendingLimit
    /// Another process holds the store.
    case storeBusy
    /// The disk has no room for the store, but the previous data are kept.
    case diskFull
    /// The stored data cannot be read, and were moved to another path without deleting anything.
    case storeSetAside
    /// A picture could not be copied.
    case pictureNotCopied
    /// No delivered notification has this identifier.
    case notDelivered
    /// The notification does not offer this action.
    case unknownAction
    /// The content of a notification is incomplete.
    case invalidContent
    /// No program for the desktop's settings of notifications was found.
    case settingsUnavailable
}

extension UserNotificationError {
    static func notDelivered(_ identifier: String) -> UserNotificationError {
        UserNotificationError(
            .notDelivered,
            "There is no delivered notification “\(identifier)”. It may already have a response."
        )
    }
}

extension UserNotificationError {
    static func invalidTrigger(_ text: String) -> UserNotificationError {
        UserNotificationError(.invalidTrigger, text)
    }

    static var pendingLimit: UserNotificationError {
        UserNotificationError(
            .pendingLimit,
            "\(NotificationSchedule.limit) requests are already pending. Remove one, or add this "
                + "request later."
        )
    }

    /// Wraps an error of a store, unless the error already belongs to this module.
    init(storeError error: any Error) {
        self =
            (error as? UserNotificationError)
            ?? UserNotificationError(
                .storeFailed,
                "The notification store cannot be read or written: \(error)",
                cause: error
            )
    }
}
