// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes a type of message with an asynchronous closure until the token is cancelled or
    /// dropped.
    ///
    /// The observation has a mailbox. A post leaves the message there and goes on; the handler
    /// works through the mailbox in tasks of its own, on no actor, in the order of the posts and
    /// one message at a time unless `concurrency` says more. An error that it throws goes to the
    /// caller of `postAndWait` if that posted the message, else to the center's error hook.
    ///
    /// Ending the observation empties the mailbox and cancels the tasks of calls in progress.
    /// When the center goes, what the mailbox holds is still handled.
    ///
    /// ```swift
    /// let token = center.observe(PhotoTaken.self, buffering: .newest(10)) { message in
    ///     try await upload(message.photo)
    /// }
    /// ```
    ///
    /// A closure without an `await` chooses the form that runs on the poster's thread, unless
    /// `buffering` or `concurrency` is stated.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - concurrency: How many messages are handled at a time, at least 1.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message.
    /// - Returns: The token that ends the observation.
    public func observe<M: Message>(
        _ type: M.Type,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        replay: Replay = .none,
        buffering: Buffering = .unbounded,
        concurrency: Int = 1,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @concurrent @Sendable (M) async throws -> Void
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
        return add(wish, makeMailbox(buffering, concurrency, Mailbox.step(handler)))
    }

    /// Observes a type of message with an asynchronous closure for as long as `owner` lives.
    ///
    /// The mailbox works as in the form without an owner. The owner is held weakly, handed to the
    /// handler strongly and kept alive for each call. The handler is never called once the
    /// owner's `deinit` has begun: what still waits is dropped, and the observation ends.
    ///
    /// ```swift
    /// center.observe(PhotoTaken.self, owner: self) { owner, message in
    ///     try await owner.upload(message.photo)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - owner: The object whose life bounds the observation.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - concurrency: How many messages are handled at a time, at least 1.
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
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        replay: Replay = .none,
        buffering: Buffering = .unbounded,
        concurrency: Int = 1,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @concurrent @Sendable (Owner, M) async throws -> Void
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
        let mailbox = makeMailbox(buffering, concurrency, Mailbox.step(owner, handler))
        return add(wish, owner: owner, mailbox)
    }
}

extension MessageCenter {
    func makeMailbox<M: Message>(
        _ buffering: Buffering,
        _ concurrency: Int,
        _ step: @escaping Mailbox<M>.Step
    ) -> Mailbox<M> {
        Mailbox(of: self, buffering, concurrency: concurrency, step: step)
    }

    /// Registers an observation whose messages wait in a mailbox.
    func add<M: Message>(
        _ wish: ObservationWish<M>,
        owner: (any AnyObject & Sendable)? = nil,
        _ mailbox: Mailbox<M>
    ) -> ObservationToken {
        add(wish) { terms in
            guard let owner else { return MailboxRegistration(terms, mailbox) }
            return MailboxRegistration(terms, owner, mailbox)
        }
    }
}
