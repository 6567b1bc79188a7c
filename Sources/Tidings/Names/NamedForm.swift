// SPDX-License-Identifier: Apache-2.0

/// A type of message that has a name.
struct NamedForm: Sendable {
    let type: any NamedMessage.Type
    let name: String

    /// Asks a type for its name; nil if it has none.
    ///
    /// That is the user's code: never under a lock.
    init?(_ type: any Message.Type) {
        guard let type = type as? any NamedMessage.Type else { return nil }
        self.type = type
        name = type.name
    }
}

extension Registration {
    /// The name of what it receives: the name that it observes, or that of a type.
    func name<Input: Sendable>(of type: Input.Type) -> MessageName {
        if type == UntypedMessage.self, let name = (currentHome as? Channel)?.name {
            return .text(name)
        }
        if type == Interception.self { return .text("messages to intercept") }
        return type == (any Message).self ? .text("every message") : .type(type)
    }
}
