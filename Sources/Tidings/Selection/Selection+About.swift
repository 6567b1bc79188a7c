// SPDX-License-Identifier: Apache-2.0

extension Selection {
    /// Selects messages that were posted about one object.
    ///
    /// The object is held weakly, and the observation ends when the object is deallocated: no call
    /// begins afterwards, not even for a pending message. A sequence keeps the messages in its
    /// buffer.
    ///
    /// ```swift
    /// let token = center.messages(of: Played.self).about(album).observe { print($0.title) }
    /// center.post(Played(title: "Blue"), about: album)
    /// ```
    ///
    /// - Parameter subject: The object.
    /// - Returns: The selection.
    /// - Precondition: The selection is one of messages: a state has no subject.
    public func about(_ subject: any AnyObject & Sendable) -> Selection {
        taking(.object(WeakSubject(subject)))
    }

    /// Selects messages that were posted about any object of a type.
    ///
    /// ```swift
    /// let albums = center.messages(of: Played.self).about(any: Album.self)
    /// ```
    ///
    /// - Parameter type: The type of the object; a superclass also matches.
    /// - Returns: The selection.
    /// - Precondition: The selection is one of messages: a state has no subject.
    public func about<Subject: AnyObject>(any type: Subject.Type) -> Selection {
        taking(.matching { $0 is Subject })
    }
}

extension Selection where Element: Message {
    /// Delivers retained messages first, as if they were posted immediately after the observation
    /// began.
    ///
    /// ```swift
    /// let last = center.messages(of: LoggedIn.self).replaying(.last(1))
    /// let token = last.observe { print($0.name) }
    /// ```
    ///
    /// - Parameter replay: The messages to deliver; none by default.
    /// - Returns: The selection.
    public func replaying(_ replay: Replay) -> Selection {
        requireOnce(options.replay == nil, "replaying")
        var selection = self
        selection.options.replay = replay
        return selection
    }
}

extension Selection {
    /// Selects messages for whose subject a closure returns true; nil stands for no subject.
    ///
    /// The closure is called on the thread that delivers, just before each call, and may be called
    /// more often: it must return the same result each time.
    package func about(
        matching isIncluded: @escaping @Sendable ((any AnyObject & Sendable)?) -> Bool
    ) -> Selection {
        taking(.matching(isIncluded))
    }

    func taking(_ subject: SubjectFilter) -> Selection {
        require(!isOfStates, "States are about no object. Remove `about` from the selection.")
        requireOnce(options.subject == nil, "about")
        var selection = self
        selection.options.subject = subject
        return selection
    }
}
