// SPDX-License-Identifier: Apache-2.0

/// A request to show a notification, now or when the trigger fires.
///
/// ```swift
/// let request = UserNotificationRequest(
///     identifier: "tea",
///     content: .init(title: "The tea is ready"),
///     trigger: .after(.seconds(240))
/// )
/// ```
public struct UserNotificationRequest: Hashable, Sendable, Codable {
    /// The name of the notification, which a later request with the same name replaces.
    public var identifier: String
    /// The content.
    public var content: UserNotificationContent
    /// The time of delivery.
    public var trigger: UserNotificationTrigger
    /// The treatment if the request becomes due while the program is not running.
    public var ifOverdue: UserNotificationOverduePolicy
    /// Whether the system starts the program when the request is due while the program is closed.
    ///
    /// A backend without ``UserNotificationFeatures/programStart`` reports this feature as degraded
    /// in the outcome. The request is then delivered at the next start.
    public var startsProgram: Bool {
        get { isStarting ?? false }
        set { isStarting = newValue ? true : nil }
    }

    /// True or nil, and nil in the stores of earlier versions.
    private var isStarting: Bool?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - identifier: The name of the notification, which a later request with the same name
    ///     replaces.
    ///   - content: The content.
    ///   - trigger: The time of delivery.
    ///   - ifOverdue: The treatment if the request becomes due while the program is not running.
    ///   - startsProgram: Whether the system starts the program when the request is due while the
    ///     program is closed.
    public init(
        identifier: String,
        content: UserNotificationContent,
        trigger: UserNotificationTrigger = .now,
        ifOverdue: UserNotificationOverduePolicy = .deliver,
        startsProgram: Bool = false
    ) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
        self.ifOverdue = ifOverdue
        self.startsProgram = startsProgram
    }
}
