// SPDX-License-Identifier: Apache-2.0

/// A button of a notification.
public struct UserNotificationAction: Hashable, Sendable, Codable {
    /// The behavior and appearance of an action.
    public struct Options: OptionSet, Hashable, Sendable, Codable {
        /// The options as bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The action brings the program to the foreground.
        public static let foreground = Options(rawValue: 1)
        /// The action destroys data, and the backend marks the button if possible.
        public static let destructive = Options(rawValue: 2)
        /// The action does the same as a click on the notification.
        ///
        /// A desktop that lists both shows one button for both, with this action's title. The
        /// response is then ``UserNotificationResponse/Action/open``.
        public static let opens = Options(rawValue: 4)
    }

    /// A text field for a reply.
    package struct TextInput: Hashable, Sendable, Codable {
        /// The text in the empty field.
        package let placeholder: String
        /// The title of the send button, or nil for the backend's own.
        package let button: String?

        /// Creates a text field.
        package init(placeholder: String = "", button: String? = nil) {
            self.placeholder = placeholder
            self.button = button
        }
    }

    /// The name by which a response identifies the action.
    public let identifier: String
    /// The title of the button.
    public let title: String
    /// The behavior and appearance.
    public let options: Options
    /// The text field for a reply.
    package let textInput: TextInput?

    /// The text in the empty field for a reply, or nil for a plain button.
    ///
    /// With a field, the response is a ``UserNotificationResponse/Action/reply(_:_:)``.
    public var replyPlaceholder: String? { textInput?.placeholder }

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - identifier: The name by which a response identifies the action.
    ///   - title: The title of the button.
    ///   - options: The behavior and appearance.
    ///   - replyPlaceholder: The text in the empty field for a reply, or nil for a plain button.
    public init(
        _ identifier: String,
        title: String,
        options: Options = [],
        replyPlaceholder: String? = nil
    ) {
        self.init(
            identifier,
            title: title,
            options: options,
            textInput: replyPlaceholder.map { TextInput(placeholder: $0) }
        )
    }

    /// Creates an action with a text field.
    package init(
        _ identifier: String,
        title: String,
        options: Options = [],
        textInput: TextInput?
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInput = textInput
    }
}
