// SPDX-License-Identifier: Apache-2.0

/// One post of a program.
struct ModelPost: Hashable, Sendable {
    enum Retention: Hashable, Sendable {
        case newest(Int)
        case untilHandled
    }

    var number: Int
    var place = ModelPlace()
    /// The owner that the message is about.
    var about: Int?
    /// Whether it is delivered depth first.
    var isNested = false
    var retention: Retention?

    /// How many messages are retained with it, if it is one of the newest.
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

/// A choice among messages by their numbers: a filter, or whether a handler stops or drops one.
struct ModelChoice: Hashable, Sendable {
    var modulus: Int
    var rest = 0

    func picks(_ number: Int) -> Bool { number % modulus == rest }
}

extension ModelOperation {
    /// A post of nothing but a message.
    static func post(_ number: Int, at place: ModelPlace) -> ModelOperation {
        .post(ModelPost(number: number, place: place))
    }
}
