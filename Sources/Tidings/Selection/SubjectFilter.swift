// SPDX-License-Identifier: Apache-2.0

/// The condition on a message's subject for an observation.
enum SubjectFilter: Sendable {
    /// One object, for as long as it lives.
    case object(WeakSubject)
    /// Any object, or nil, for which the closure returns true.
    case matching(@Sendable ((any AnyObject & Sendable)?) -> Bool)

    var isExpired: Bool {
        if case .object(let subject) = self { return subject.object == nil }
        return false
    }

    /// Returns whether a message about `subject`, which the caller keeps alive, matches.
    func matches(_ subject: (any AnyObject & Sendable)?) -> Bool {
        switch self {
        case .object(let wanted): wanted.matches(subject)
        case .matching(let isWanted): isWanted(subject)
        }
    }
}

/// A subject, held weakly, because its address alone does not identify it.
final class WeakSubject: Sendable {
    weak let object: (any AnyObject & Sendable)?
    private let address: ObjectIdentifier

    init(_ object: any AnyObject & Sendable) {
        self.object = object
        address = ObjectIdentifier(object)
    }

    /// Returns whether it is `other`, which the caller keeps alive.
    ///
    /// Most objects differ in their addresses, and comparing addresses costs less than a weak load.
    @inline(__always)
    func matches(_ other: (any AnyObject & Sendable)?) -> Bool {
        guard let other, ObjectIdentifier(other) == address else { return false }
        return object === other
    }
}
