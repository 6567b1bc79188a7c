// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes a type of message on an actor for as long as the actor lives.
    ///
    /// The handler runs on the actor, with access to its state, in the order in which its mailbox
    /// received the messages. A closure without an `await` is fine: it runs in one piece. Between
    /// two messages the actor is free for others. The actor is held weakly and kept alive for each
    /// call; when it dies, what still waits is dropped and the observation ends.
    ///
    /// After `cancel()` was called on that actor, no call begins there any more. An error goes
    /// where the errors of asynchronous handlers go.
    ///
    /// ```swift
    /// center.observe(PhotoTaken.self, on: library) { library, message in
    ///     library.insert(message.photo)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - actor: Where the handler runs, and whose life bounds the observation.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message. Capture the actor nowhere: use the
    ///     parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   actor lives changes nothing.
    @discardableResult
    public func observe<M: Message, Isolation: Actor>(
        _ type: M.Type,
        on actor: Isolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        replay: Replay = .none,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (isolated Isolation, M) async throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: once,
            about: subject,
            where: filter,
            replay: replay,
            source
        )
        return add(wish, owner: actor, makeMailbox(buffering, 1, Mailbox.step(on: actor, handler)))
    }

    /// Observes a type of message on the main actor with an asynchronous closure until the token
    /// is cancelled or dropped.
    ///
    /// The handler runs on the main actor, never inline: each message joins the mailbox of this
    /// observation. A closure without an `await` chooses the form that may run inline.
    ///
    /// ```swift
    /// let token = center.observe(LoggedIn.self, on: .main) { message in
    ///     await screen.show(message.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message.
    /// - Returns: The token that ends the observation.
    public func observe<M: Message>(
        _ type: M.Type,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        replay: Replay = .none,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (M) async throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: once,
            about: subject,
            where: filter,
            replay: replay,
            source
        )
        return add(wish, makeMailbox(buffering, 1, Mailbox.step(main: handler)))
    }

    /// Observes a type of message on the main actor with an asynchronous closure for as long as
    /// `owner` lives.
    ///
    /// The handler runs on the main actor, never inline, by the rules of the other asynchronous
    /// forms. The owner is held weakly and kept alive for each call.
    ///
    /// ```swift
    /// center.observe(LoggedIn.self, owner: self, on: .main) { screen, message in
    ///     await screen.show(message.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - owner: The object whose life bounds the observation.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message. Capture `self` nowhere: use the
    ///     parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observe<M: Message, Owner: AnyObject & Sendable>(
        _ type: M.Type,
        owner: Owner,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        replay: Replay = .none,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Owner, M) async throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: once,
            about: subject,
            where: filter,
            replay: replay,
            source
        )
        return add(
            wish,
            owner: owner,
            makeMailbox(buffering, 1, Mailbox.step(owner, main: handler))
        )
    }
}
