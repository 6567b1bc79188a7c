// SPDX-License-Identifier: Apache-2.0

/// The data of a center that outlives the program.
///
/// A store reads and writes the whole record.
package struct NotificationRecord: Hashable, Sendable, Codable {
    /// A unique name of the store, or nil until the first run.
    package var identity: String?
    /// The user's answer to the request for authorization, or nil if there is none.
    package var authorization: AuthorizationAnswer?
    /// The permissions that the user granted, or nil for all.
    package var allowed: UserNotificationAuthorizationOptions?
    /// The scheduled requests.
    package var schedule = NotificationSchedule()
    /// The delivered notifications, the oldest first.
    package var delivered: [DeliveredNotification] = []
    /// The program's badge, where 0 means no badge.
    package var badge = 0
    /// The number of runs so far.
    ///
    /// Each run derives the delivery numbers from this count, so that the numbers grow.
    package var runs = 0

    /// Creates an empty record.
    ///
    /// - Parameter authorization: The user's answer, or nil if there is none.
    package init(authorization: AuthorizationAnswer? = nil) {
        self.authorization = authorization
    }
}
