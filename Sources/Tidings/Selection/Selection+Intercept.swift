// SPDX-License-Identifier: Apache-2.0

extension Selection {
    /// Lets a closure change, stop or drop messages before they are delivered.
    ///
    /// Interceptors are called on the poster's thread, without a lock, in order of priority and
    /// then of registration, those of one type and those of all messages together; each receives
    /// the message that the one before has returned. A post that begins after this call has
    /// returned passes the interceptor.
    ///
    /// A message that is dropped has no recipient: `post` returns 0, or throws `noObservers` if it
    /// requires a recipient. Dropped or stopped, a message is not retained, the unhandled hooks are
    /// not called, and watchers of the center see it as `intercepted`.
    ///
    /// A post inside a handler passes the interceptors at once and is queued afterwards. A post
    /// that an interceptor makes passes the interceptors too and comes before the message that is
    /// held up; an interceptor that posts its own type must know when to stop.
    ///
    /// A post by name is an ``UntypedMessage`` and passes the interceptors of that type and of all
    /// messages, not those of a type that it may be converted to.
    ///
    /// Posts of this type take longer while an interceptor stands, and all posts while one of all
    /// messages or of a conformance does.
    ///
    /// ```swift
    /// let token = center.messages(of: ChatLine.self).intercept { line in
    ///     line.text.isEmpty ? .drop : .replace(ChatLine(text: line.text.lowercased()))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The intercepting file, for the leak report.
    ///   - line: The intercepting line.
    ///   - decide: Returns the decision on each message.
    /// - Returns: The token that ends the interception.
    /// - Precondition: The selection is one of messages, and a message that replaces another one
    ///   has its type.
    public func intercept(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ decide: @escaping @Sendable (Element) -> Decision<Element>
    ) -> ObservationToken {
        addInterceptor(at: SourceLocation(fileID: fileID, line: line), decide)
    }
}
