// SPDX-License-Identifier: Apache-2.0

/// A message that a channel retains, with the arguments of the post.
///
/// The channel determines the message's type.
struct RetainedMessage: Sendable {
    enum Subject: Sendable {
        case nothing
        /// The message is forgotten when this object expires.
        case weak(WeakSubject)
        /// The message waits for a first recipient and keeps this object alive.
        case kept(any AnyObject & Sendable)
    }

    let message: any Message
    let subject: Subject
    let source: SourceLocation

    /// The object that the message is about, if the object is still alive.
    ///
    /// Never read this property under a lock, because the caller may hold the last reference and
    /// release the object.
    var about: (any AnyObject & Sendable)? {
        switch subject {
        case .nothing: nil
        case .weak(let subject): subject.object
        case .kept(let object): object
        }
    }

    /// Whether the message's subject has expired.
    var isForgotten: Bool {
        if case .weak(let subject) = subject { return subject.object == nil }
        return false
    }

    /// Returns whether an observation with this filter receives the message.
    ///
    /// Never call this method under a lock.
    func passes(_ filter: SubjectCondition?) -> Bool {
        guard let filter else { return !isForgotten }
        return filter.matches(about)
    }
}

/// How long a center keeps a message for later observers.
enum Retention: Hashable {
    /// The center keeps the newest messages of the type, up to this number.
    case newest(Int)
    /// The center keeps the message until a handler was called.
    case untilHandled
}
