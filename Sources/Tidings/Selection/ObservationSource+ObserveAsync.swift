// SPDX-License-Identifier: Apache-2.0

extension ObservationSource {
    /// Observes the elements with an asynchronous closure until the token is cancelled or dropped.
    ///
    /// The observation has a mailbox. A post leaves the message in the mailbox and returns. Tasks
    /// call the handler in the order of the posts, one message at a time unless
    /// ``Selection/concurrency(_:)`` sets a higher number. The handler runs on no actor, or on the
    /// actor in the closure's signature, as in `{ @MainActor message in await fade(to: message) }`.
    /// If `postAndWait` posted the message, the caller receives an error from the handler. Other
    /// errors go to the center's error hooks.
    ///
    /// Ending the observation empties the mailbox and cancels the tasks of calls in progress. When
    /// the center is deallocated, the handler still receives the messages in the mailbox.
    ///
    /// ```swift
    /// let token = center.messages(of: PhotoTaken.self).buffering(.newest(10)).observe { message in
    ///     try await upload(message.photo)
    /// }
    /// let scaling = center.messages(of: PhotoTaken.self).observe(on: pool) { scale($0.photo) }
    /// ```
    ///
    /// - Parameters:
    ///   - executor: The executor that the tasks prefer: a thread pool of the program, or a
    ///     dispatch queue (`TidingsFoundation`). The runtime's pool by default.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with each element.
    /// - Returns: The token that ends the observation.
    public func observe(
        on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @concurrent @Sendable (Element) async throws -> Void
    ) -> ObservationToken {
        let step = executor.map { Mailbox.step(on: $0, handler) } ?? Mailbox.step(handler)
        return selection.attach(at: SourceLocation(fileID: fileID, line: line), step)
    }

    /// Observes the elements with an asynchronous closure as long as `owner` lives.
    ///
    /// The mailbox works as in the form without an owner. The observation holds the owner weakly,
    /// passes the owner to the handler and keeps the owner alive for each call. The handler is
    /// never called after the owner's `deinit` has started. The mailbox then drops the pending
    /// messages, and the observation ends.
    ///
    /// ```swift
    /// center.messages(of: PhotoTaken.self).observe(owner: self) { owner, message in
    ///     try await owner.upload(message.photo)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose lifetime bounds the observation.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the owner and each element. Use the parameter and do not capture
    ///     `self`.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. While the owner lives,
    ///   dropping the token changes nothing.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @concurrent @Sendable (Owner, Element) async throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return selection.attach(owner: owner, at: source, Mailbox.step(owner, handler))
    }

    /// Observes the elements on an actor as long as the actor lives.
    ///
    /// The handler runs on the actor, with access to the actor's state, in the order in which the
    /// mailbox received the messages. Between two messages the actor may do other work. The
    /// observation holds the actor weakly and keeps the actor alive for each call. After `cancel()`
    /// was called on the actor, no further call starts. Errors go to the same place as the errors
    /// of asynchronous handlers.
    ///
    /// ```swift
    /// center.messages(of: PhotoTaken.self).observe(on: library) { library, message in
    ///     library.insert(message.photo)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - actor: The actor that runs the handler and whose lifetime bounds the observation.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the actor and each element. Use the parameter and do not capture
    ///     the actor.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. While the actor lives,
    ///   dropping the token changes nothing.
    @discardableResult
    public func observe<Isolation: Actor>(
        on actor: Isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (isolated Isolation, Element) async throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return selection.attach(owner: actor, at: source, Mailbox.step(on: actor, handler))
    }
}
