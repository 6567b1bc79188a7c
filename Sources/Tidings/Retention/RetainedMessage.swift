// SPDX-License-Identifier: Apache-2.0

/// A message that a channel retains, with all that was said when it was posted.
///
/// The channel knows the type.
struct RetainedMessage: Sendable {
    enum Subject: Sendable {
        case nothing
        /// It is forgotten when this dies.
        case mortal(WeakSubject)
        /// It waits for its first recipient, and keeps this.
        case kept(any AnyObject & Sendable)
    }

    let message: any Message
    let subject: Subject
    let source: SourceLocation

    /// What it is about, if that still lives.
    ///
    /// Never asked under a lock: the caller may be the one who releases it.
    var about: (any AnyObject & Sendable)? {
        switch subject {
        case .nothing: nil
        case .mortal(let subject): subject.object
        case .kept(let object): object
        }
    }

    /// Whether what it was about has died.
    var isForgotten: Bool {
        if case .mortal(let subject) = subject { return subject.object == nil }
        return false
    }

    /// Whether an observation with this filter is told of it.
    ///
    /// Never asked under a lock.
    func passes(_ filter: SubjectFilter?) -> Bool {
        guard let filter else { return !isForgotten }
        return filter.matches(about)
    }
}
