// SPDX-License-Identifier: Apache-2.0

/// What a center keeps between two runs of a program.
///
/// A store writes and reads it as it is.
public struct NotificationRecord: Hashable, Sendable, Codable {
    /// The person's answer to the question for authorization, nil when there is none.
    public var authorization: AuthorizationAnswer?
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
