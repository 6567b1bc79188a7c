// SPDX-License-Identifier: Apache-2.0

/// A notification that could not be requested, or a response that means nothing.
///
/// ```swift
/// do {
///     try await notifications.requestAuthorization()
/// } catch where error.code == .denied {
///     hideTheBell()
/// }
/// ```
public struct UserNotificationError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case denied
            case notDetermined
            case unanswered
            case cancelled
            case storeFailed
            case notDelivered
            case unknownAction
            case invalidContent
            case noBundle
            case invalidTrigger
            case pendingLimit
            case storeBusy
            case diskFull
        }

        private let value: Value

        /// The name of the code.
        public var description: String { value.rawValue }

        /// The person does not want notifications.
        public static let denied = Code(value: .denied)
        /// Nobody has been asked yet.
        public static let notDetermined = Code(value: .notDetermined)
        /// The question was closed without an answer.
        public static let unanswered = Code(value: .unanswered)
        /// The task was cancelled while it waited for the answer.
        public static let cancelled = Code(value: .cancelled)
        /// The store could not read or keep something; `cause` says why.
        public static let storeFailed = Code(value: .storeFailed)
        /// The trigger never fires, or repeats too often.
        public static let invalidTrigger = Code(value: .invalidTrigger)
        /// As many requests wait as may; nothing was changed.
        public static let pendingLimit = Code(value: .pendingLimit)
        /// Another process holds the store.
        public static let storeBusy = Code(value: .storeBusy)
        /// The store finds no room on the disk; nothing that it had is lost.
        public static let diskFull = Code(value: .diskFull)
        /// No delivered notification has this identifier.
        public static let notDelivered = Code(value: .notDelivered)
        /// The notification does not offer this action.
        public static let unknownAction = Code(value: .unknownAction)
        /// The process has no bundle, and the system shows nothing of it.
        public static let noBundle = Code(value: .noBundle)
        /// What a notification was to show is not complete.
        public static let invalidContent = Code(value: .invalidContent)
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do about it, in one or two sentences for a person.
    public let message: String
    /// The failure beneath this one, if there is one.
    public let cause: (any Error)?
    /// Where the error was made, as `#fileID:line`.
    public let location: String

    init(
        _ code: Code,
        _ message: String,
        cause: (any Error)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        location = "\(fileID):\(line)"
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

extension UserNotificationError {
    static func notDelivered(_ identifier: String) -> UserNotificationError {
        UserNotificationError(
            .notDelivered,
            "There is no notification “\(identifier)”; it may have been answered already."
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
            "\(NotificationSchedule.limit) requests wait already. Remove one, or add this later."
        )
    }

    /// What a store has thrown, as an error of this module.
    init(storeError error: any Error) {
        self =
            (error as? UserNotificationError)
            ?? UserNotificationError(
                .storeFailed,
                "What is kept of notifications cannot be read or written: \(error)",
                cause: error
            )
    }
}
