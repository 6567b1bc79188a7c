// SPDX-License-Identifier: Apache-2.0

/// A message type that has a name.
struct NamedForm: Sendable {
    let type: any NamedMessage.Type
    let name: String

    /// Creates the form of a type; nil if the type has no name.
    ///
    /// This reads the name with the user's code, so it never runs under a lock.
    init?(_ type: any Message.Type) {
        guard let type = type as? any NamedMessage.Type else { return nil }
        self.type = type
        name = type.name
    }
}

extension Registration {
    /// Returns the name of its input: the name that it observes, or that of a type.
    func name<Input: Sendable>(of type: Input.Type) -> MessageName {
        if type == UntypedMessage.self, let name = (currentHome as? Channel)?.name {
            return .text(name)
        }
        if type == Interception.self { return .text("messages to intercept") }
        return type == (any Message).self ? .text("every message") : .type(type)
    }
}
