// SPDX-License-Identifier: Apache-2.0

/// A message that a channel retains, with the arguments of its post.
///
/// Its channel determines its type.
struct RetainedMessage: Sendable {
    enum Subject: Sendable {
        case nothing
        /// The message is forgotten when this object expires.
        case weak(WeakSubject)
        /// The message waits for its first recipient, and keeps this object alive.
        case kept(any AnyObject & Sendable)
    }

    let message: any Message
    let subject: Subject
    let source: SourceLocation

    /// The object that it is about, if that is still alive.
    ///
    /// Never read under a lock: the caller may hold the last reference and release the object.
    var about: (any AnyObject & Sendable)? {
        switch subject {
        case .nothing: nil
        case .weak(let subject): subject.object
        case .kept(let object): object
        }
    }

    /// Whether its subject has expired.
    var isForgotten: Bool {
        if case .weak(let subject) = subject { return subject.object == nil }
        return false
    }

    /// Whether an observation with this filter receives it.
    ///
    /// Never called under a lock.
    func passes(_ filter: SubjectFilter?) -> Bool {
        guard let filter else { return !isForgotten }
        return filter.matches(about)
    }
}

/// How long a center keeps a message for later observers.
enum Retention: Hashable {
    /// As one of the newest messages of its type, up to this number.
    case newest(Int)
    /// Until a handler was called with it.
    case untilHandled
}
