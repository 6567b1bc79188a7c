// SPDX-License-Identifier: Apache-2.0

/// Something a person can do with a notification besides opening it.
public struct NotificationAction: Hashable, Sendable, Codable {
    /// What an action is like.
    public struct Options: OptionSet, Hashable, Sendable, Codable {
        /// The options as bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// It brings the program to the front.
        public static let foreground = Options(rawValue: 1)
        /// It destroys something, and looks like it where that is possible.
        public static let destructive = Options(rawValue: 2)
    }

    /// A field for an answer in words.
    public struct TextInput: Hashable, Sendable, Codable {
        /// What the empty field says.
        public let placeholder: String
        /// What the button beside it says, nil for what is usual.
        public let button: String?

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - placeholder: What the empty field says.
        ///   - button: What the button beside it says, nil for what is usual.
        public init(placeholder: String = "", button: String? = nil) {
            self.placeholder = placeholder
            self.button = button
        }
    }

    /// The name that the response has.
    public let identifier: String
    /// What the button says.
    public let title: String
    /// What it is like.
    public let options: Options
    /// The field that it has; its response is a ``NotificationResponse/Action/reply(_:_:)``.
    public let textInput: TextInput?

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - identifier: The name that the response has.
    ///   - title: What the button says.
    ///   - options: What it is like.
    ///   - textInput: The field for an answer in words, if it has one.
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
