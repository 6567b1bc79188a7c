// SPDX-License-Identifier: Apache-2.0

/// A kind of notification: which actions a person is offered.
///
/// ```swift
/// let category = NotificationCategory(
///     "MESSAGE",
///     actions: [.init("answer", title: "Answer", textInput: .init(placeholder: "Your answer"))]
/// )
/// ```
public struct NotificationCategory: Hashable, Sendable, Codable {
    /// What notifications of a category are like.
    public struct Options: OptionSet, Hashable, Sendable, Codable {
        /// The options as bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// That a person puts one away is a response, too.
        public static let reportsDismissal = Options(rawValue: 1)
    }

    /// The name that a content refers to.
    public let identifier: String
    /// The actions, in the order in which they are offered.
    public let actions: [NotificationAction]
    /// What its notifications are like.
    public let options: Options

    /// Creates a category.
    ///
    /// - Parameters:
    ///   - identifier: The name that a content refers to.
    ///   - actions: The actions, in the order in which they are offered.
    ///   - options: What its notifications are like.
    public init(
        _ identifier: String,
        actions: [NotificationAction] = [],
        options: Options = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.options = options
    }
}
