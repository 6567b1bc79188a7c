// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A message of a random program, with a number that is unique in it.
protocol ModelMessage: Message {
    init(number: Int)
    var number: Int { get }
}

/// The types of message that programs post, different in size and in what they hold.
enum ModelMessages {
    struct Small: ModelMessage {
        let number: Int
    }

    /// Too big for the registers.
    struct Wide: ModelMessage {
        private let copies: InlineArray<9, Int>
        var number: Int { (1..<9).allSatisfy { copies[$0] == copies[0] } ? copies[0] : -1 }

        init(number: Int) { copies = InlineArray(repeating: number) }
    }

    /// Holds references, so that a message that is used after its release is noticed.
    struct Counted: ModelMessage {
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

    static let types: [any ModelMessage.Type] = [
        Small.self, Counted.self, Wide.self, Generic<Int>.self, Generic<String>.self,
        Generic<[Int]>.self, Generic<[String]>.self, Generic<Small>.self, Generic<Wide>.self,
    ]
}
