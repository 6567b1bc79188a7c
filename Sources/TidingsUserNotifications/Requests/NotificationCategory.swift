// SPDX-License-Identifier: Apache-2.0

/// A kind of notification with the actions that it offers.
///
/// ```swift
/// let category = NotificationCategory(
///     "MESSAGE",
///     actions: [.init("answer", title: "Answer", textInput: .init(placeholder: "Your answer"))]
/// )
/// ```
public struct NotificationCategory: Hashable, Sendable, Codable {
    /// The behavior of a category.
    public struct Options: OptionSet, Hashable, Sendable, Codable {
        /// The options as bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The center posts a response when the person dismisses a notification.
        public static let reportsDismissal = Options(rawValue: 1)
    }

    /// The name by which a content refers to the category.
    public let identifier: String
    /// The actions, in the order in which they are offered.
    public let actions: [NotificationAction]
    /// The behavior of its notifications.
    public let options: Options

    /// Creates a category.
    ///
    /// - Parameters:
    ///   - identifier: The name by which a content refers to the category.
    ///   - actions: The actions, in the order in which they are offered.
    ///   - options: The behavior of its notifications.
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
