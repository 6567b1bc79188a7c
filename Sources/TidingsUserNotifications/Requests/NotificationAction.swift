// SPDX-License-Identifier: Apache-2.0

/// A button of a notification.
public struct NotificationAction: Hashable, Sendable, Codable {
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
        /// The action destroys data, and the backend marks it if it can.
        public static let destructive = Options(rawValue: 2)
    }

    /// A text field for a reply.
    public struct TextInput: Hashable, Sendable, Codable {
        /// The text in the empty field.
        public let placeholder: String
        /// The title of the send button; nil for the backend's own.
        public let button: String?

        /// Creates a text field.
        ///
        /// - Parameters:
        ///   - placeholder: The text in the empty field.
        ///   - button: The title of the send button; nil for the backend's own.
        public init(placeholder: String = "", button: String? = nil) {
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
    /// The text field; with it, the response is a ``NotificationResponse/Action/reply(_:_:)``.
    public let textInput: TextInput?

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - identifier: The name by which a response identifies the action.
    ///   - title: The title of the button.
    ///   - options: The behavior and appearance.
    ///   - textInput: The text field for a reply; nil for a plain button.
    public init(
        _ identifier: String,
        title: String,
        options: Options = [],
        textInput: TextInput? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInput = textInput
    }
}
