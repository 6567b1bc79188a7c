// SPDX-License-Identifier: Apache-2.0

/// A kind of notification: which actions a person is offered.
public struct NotificationCategory: Hashable, Sendable {
    /// The name that a content refers to.
    public let identifier: String
    /// The actions, in the order in which they are offered.
    public let actions: [NotificationAction]

    /// Creates a category.
    ///
    /// - Parameters:
    ///   - identifier: The name that a content refers to.
    ///   - actions: The actions, in the order in which they are offered.
    public init(_ identifier: String, actions: [NotificationAction] = []) {
        self.identifier = identifier
        self.actions = actions
    }
}

/// Something a person can do with a notification besides opening it.
public struct NotificationAction: Hashable, Sendable, Codable {
    /// The name that the response has.
    public let identifier: String
    /// What the button says.
    public let title: String

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - identifier: The name that the response has.
    ///   - title: What the button says.
    public init(_ identifier: String, title: String) {
        self.identifier = identifier
        self.title = title
    }
}
