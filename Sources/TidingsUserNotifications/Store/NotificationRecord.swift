// SPDX-License-Identifier: Apache-2.0

/// The data of a center that outlives the program.
///
/// A store reads and writes it as a whole.
package struct NotificationRecord: Hashable, Sendable, Codable {
    /// A unique name of the store; nil until the first run.
    package var identity: String?
    /// The person's answer to the request for authorization; nil if there is none.
    package var authorization: AuthorizationAnswer?
    /// The permissions that the person granted; nil for all.
    package var allowed: UserNotificationAuthorizationOptions?
    /// The scheduled requests.
    package var schedule = NotificationSchedule()
    /// The delivered notifications, the oldest first.
    package var delivered: [DeliveredNotification] = []
    /// The program's badge; 0 means no badge.
    package var badge = 0
    /// The number of runs so far.
    ///
    /// Each run derives its delivery numbers from it, so that they grow.
    package var runs = 0

    /// Creates an empty record.
    ///
    /// - Parameter authorization: The person's answer; nil if there is none.
    package init(authorization: AuthorizationAnswer? = nil) {
        self.authorization = authorization
    }
}
