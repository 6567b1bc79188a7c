// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A message that a random program receives, with a unique number.
protocol NumberedMessage: Message {
    var number: Int { get }
}

/// A message of a random program.
protocol ModelMessage: NumberedMessage {
    init(number: Int)
}

/// The protocol whose conformances observers select.
protocol SharedMessage: NumberedMessage {}

extension UntypedMessage: SharedMessage {
    var number: Int { object as? Int ?? -1 }
}

/// The types of message that programs post, which differ in size and content.
enum ModelMessages {
    struct Small: ModelMessage, SharedMessage {
        let number: Int
    }

    /// A message that is too big for the registers.
    struct Wide: ModelMessage {
        private let copies: InlineArray<9, Int>
        var number: Int { (1..<9).allSatisfy { copies[$0] == copies[0] } ? copies[0] : -1 }

        init(number: Int) { copies = InlineArray(repeating: number) }
    }

    /// A message with references, so that a use after the release is noticed.
    struct Counted: ModelMessage, SharedMessage {
        private let copies: [Int]
        private let text: String
        var number: Int { text == "a text of some length \(copies[1])" ? copies[0] : -1 }

        init(number: Int) {
            copies = [number, number]
            text = "a text of some length \(number)"
        }
    }

    struct Generic<Element: Sendable>: ModelMessage {
        let number: Int
    }

    /// The name of two types.
    static let name = "called"

    /// A message that can be made from every number that is posted under the name.
    struct Called: ModelMessage, NamedMessage, SharedMessage {
        static let name = ModelMessages.name
        let number: Int
        var object: (any Sendable)? { number }

        init(number: Int) { self.number = number }

        init?(object: (any Sendable)?) {
            guard let number = object as? Int else { return nil }
            self.number = number
        }
    }

    /// A message that can be made from even numbers only.
    struct Even: ModelMessage, NamedMessage {
        static let name = ModelMessages.name
        let number: Int
        var object: (any Sendable)? { number }

        init(number: Int) { self.number = number }

        init?(object: (any Sendable)?) {
            guard let number = object as? Int, number.isMultiple(of: 2) else { return nil }
            self.number = number
        }
    }

    static let types: [any ModelMessage.Type] = [
        Small.self, Counted.self, Wide.self, Generic<Int>.self, Generic<String>.self,
        Generic<[Int]>.self, Generic<[String]>.self, Generic<Small>.self, Generic<Wide>.self,
        Called.self, Even.self,
    ]

    /// The number of types without a name, which come first.
    static let unnamed = types.count - 2

    /// The types that have the name.
    static let named = unnamed..<types.count

    /// Whether a type that has the name can be made from a number.
    static func accepts(_ number: Int, as type: Int) -> Bool {
        type == unnamed || number.isMultiple(of: 2)
    }
}
