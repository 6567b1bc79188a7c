// SPDX-License-Identifier: Apache-2.0

/// One post of a program.
struct ModelPost: Hashable, Sendable {
    enum Retention: Hashable, Sendable {
        case newest(Int)
        case untilHandled
    }

    var number: Int
    var place = ModelPlace()
    /// The owner that is the message's subject.
    var about: Int?
    /// Whether the message is delivered depth first.
    var isNested = false
    var retention: Retention?

    /// The number of messages that are retained with this one, or nil without such a limit.
    var limit: Int? {
        if case .newest(let limit) = retention { limit } else { nil }
    }
}

extension ModelPost: CustomStringConvertible {
    var description: String {
        var text = "post #\(number) at \(place)"
        if let about { text += ", about \(about)" }
        if isNested { text += ", nested" }
        if let retention { text += ", retained \(retention)" }
        return text
    }
}

/// A choice of messages by number, for a filter or for a handler that stops or drops messages.
struct ModelChoice: Hashable, Sendable {
    var modulus: Int
    var rest = 0

    func picks(_ number: Int) -> Bool { number % modulus == rest }
}

extension ModelOperation {
    /// Returns a post with no options.
    static func post(_ number: Int, at place: ModelPlace) -> ModelOperation {
        .post(ModelPost(number: number, place: place))
    }
}
