// SPDX-License-Identifier: Apache-2.0

extension Selection {
    /// Selects messages that were posted about one object.
    ///
    /// The object is held weakly, and the observation ends when the object is deallocated. No call
    /// starts afterwards, not even for a pending message. A sequence keeps the messages in the
    /// sequence's buffer.
    ///
    /// ```swift
    /// let token = center.messages(of: Played.self).about(album).observe { print($0.title) }
    /// center.post(Played(title: "Blue"), about: album)
    /// ```
    ///
    /// - Parameter subject: The object.
    /// - Returns: The selection.
    /// - Precondition: The selection selects messages, because a state has no subject.
    public consuming func about(_ subject: any AnyObject & Sendable) -> Selection {
        taking(.object(WeakSubject(subject)))
    }

    /// Selects messages that were posted about any object of a type.
    ///
    /// ```swift
    /// let albums = center.messages(of: Played.self).about(any: Album.self)
    /// ```
    ///
    /// - Parameter type: The type of the object. A superclass also matches.
    /// - Returns: The selection.
    /// - Precondition: The selection selects messages, because a state has no subject.
    public consuming func about<Subject: AnyObject>(any type: Subject.Type) -> Selection {
        taking(.matching { $0 is Subject })
    }
}

extension Selection where Element: Message {
    /// Delivers retained messages first, as if they were posted immediately after the observation
    /// started.
    ///
    /// ```swift
    /// let last = center.messages(of: LoggedIn.self).replaying(.last(1))
    /// let token = last.observe { print($0.name) }
    /// ```
    ///
    /// - Parameter replay: The messages to deliver. The default is none.
    /// - Returns: The selection.
    public consuming func replaying(_ replay: Replay) -> Selection {
        requireOnce(options.replay == nil, "replaying")
        options.replay = replay
        return self
    }
}

extension Selection {
    /// Selects messages for whose subject a closure returns true.
    ///
    /// The subject is nil for a message without a subject. The closure is called on the delivering
    /// thread, just before each call, and may be called more often. The closure must return the
    /// same result each time.
    package consuming func about(
        matching isIncluded: @escaping @Sendable ((any AnyObject & Sendable)?) -> Bool
    ) -> Selection {
        taking(.matching(isIncluded))
    }

    consuming func taking(_ subject: SubjectCondition) -> Selection {
        require(!isOfStates, "States are about no object. Remove `about` from the selection.")
        requireOnce(options.subject == nil, "about")
        options.subject = subject
        return self
    }
}

/// The condition on a message's subject for an observation.
enum SubjectCondition: Sendable {
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

/// A subject that is held weakly, because an address alone does not identify an object.
final class WeakSubject: Sendable {
    weak let object: (any AnyObject & Sendable)?
    private let address: ObjectIdentifier

    init(_ object: any AnyObject & Sendable) {
        self.object = object
        address = ObjectIdentifier(object)
    }

    /// Returns whether the subject is `other`, which the caller keeps alive.
    ///
    /// Most objects differ in their addresses, and comparing addresses costs less than a weak load.
    @inline(__always)
    func matches(_ other: (any AnyObject & Sendable)?) -> Bool {
        guard let other, ObjectIdentifier(other) == address else { return false }
        return object === other
    }
}
