// SPDX-License-Identifier: Apache-2.0

/// A kind of notification with the actions that it offers.
///
/// ```swift
/// let category = UserNotificationCategory(
///     "MESSAGE",
///     actions: [.init("answer", title: "Answer", replyPlaceholder: "Your answer")]
/// )
/// ```
public struct UserNotificationCategory: Hashable, Sendable {
    /// The behavior of a category, in the form in which records have it.
    package struct Options: OptionSet, Hashable, Sendable, Codable {
        /// The options as bits.
        package let rawValue: Int

        /// Creates options from bits.
        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The center posts a response when the user dismisses a notification.
        package static let reportsDismissal = Options(rawValue: 1)
    }

    /// The name by which a content refers to the category.
    package let identifier: String
    /// The actions, in the order in which they are offered.
    package let actions: [UserNotificationAction]
    /// The behavior of notifications of this category.
    package let options: Options

    /// Creates a category.
    ///
    /// - Parameters:
    ///   - identifier: The name by which a content refers to the category.
    ///   - actions: The actions, in the order in which they are offered.
    ///   - reportsDismissal: Whether the center posts a response when the user dismisses a
    ///     notification of this category.
    public init(
        _ identifier: String,
        actions: [UserNotificationAction] = [],
        reportsDismissal: Bool = false
    ) {
        self.identifier = identifier
        self.actions = actions
        options = reportsDismissal ? .reportsDismissal : []
    }
}
