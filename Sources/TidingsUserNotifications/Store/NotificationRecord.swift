// SPDX-License-Identifier: Apache-2.0

/// What a center keeps between two runs of a program.
///
/// A store writes and reads it as it is.
public struct NotificationRecord: Hashable, Sendable, Codable {
    /// The person's answer to the question for authorization, nil when there is none.
    public var authorization: AuthorizationAnswer?
    /// What the person was asked to allow when they granted it; nil for everything.
    package var allowed: AuthorizationOptions?
    /// What waits for its time.
    package var schedule = NotificationSchedule()
    /// What was delivered, the oldest first.
    package var delivered: [DeliveredNotification] = []
    /// The number at the program's name.
    package var badge = 0
    /// How many runs have begun; it makes the numbers of deliveries grow.
    package var runs = 0

    /// Creates an empty record.
    ///
    /// - Parameter authorization: The person's answer, if there is one.
    public init(authorization: AuthorizationAnswer? = nil) {
        self.authorization = authorization
    }
}
