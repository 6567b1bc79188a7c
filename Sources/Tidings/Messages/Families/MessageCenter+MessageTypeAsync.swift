// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes messages that are found by a static member, with an asynchronous handler.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// let token = center.observe(.loggedIn) { message in await upload(message) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - concurrency: How many messages are handled at a time, at least 1.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message.
    /// - Returns: The token that ends the observation.
    public func observe<M: Message>(
        _ type: MessageType<M>,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        buffering: Buffering = .unbounded,
        concurrency: Int = 1,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @concurrent @Sendable (M) async throws -> Void
    ) -> ObservationToken {
        observe(
            M.self,
            priority: priority,
            once: once,
            about: subject,
            where: type.filter(filter),
            buffering: buffering,
            concurrency: concurrency,
            fileID: fileID,
            line: line,
            handler
        )
    }

    /// Observes messages that are found by a static member, for as long as `owner` lives, with an
    /// asynchronous handler.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// center.observe(.loggedIn, owner: self) { owner, message in
    ///     await owner.upload(message)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - owner: The object whose life bounds the observation.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
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
        _ type: MessageType<M>,
        owner: Owner,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        buffering: Buffering = .unbounded,
        concurrency: Int = 1,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @concurrent @Sendable (Owner, M) async throws -> Void
    ) -> ObservationToken {
        observe(
            M.self,
            owner: owner,
            priority: priority,
            once: once,
            about: subject,
            where: type.filter(filter),
            buffering: buffering,
            concurrency: concurrency,
            fileID: fileID,
            line: line,
            handler
        )
    }

    /// Observes messages that are found by a static member, on an actor.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// let token = center.observe(.loggedIn, on: store) { store, message in
    ///     store.insert(message)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - actor: Where the handler runs, and whose life bounds the observation.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message. Capture the actor nowhere: use the
    ///     parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   actor lives changes nothing.
    @discardableResult
    public func observe<M: Message, Isolation: Actor>(
        _ type: MessageType<M>,
        on actor: Isolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (isolated Isolation, M) async throws -> Void
    ) -> ObservationToken {
        observe(
            M.self,
            on: actor,
            priority: priority,
            once: once,
            about: subject,
            where: type.filter(filter),
            buffering: buffering,
            fileID: fileID,
            line: line,
            handler
        )
    }

    /// Observes messages that are found by a static member, on the main actor, with an asynchronous
    /// handler.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// let token = center.observe(.loggedIn, on: .main) { message in await fade(to: message) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message.
    /// - Returns: The token that ends the observation.
    public func observe<M: Message>(
        _ type: MessageType<M>,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (M) async throws -> Void
    ) -> ObservationToken {
        observe(
            M.self,
            on: isolation,
            priority: priority,
            once: once,
            about: subject,
            where: type.filter(filter),
            buffering: buffering,
            fileID: fileID,
            line: line,
            handler
        )
    }

    /// Observes messages that are found by a static member, on the main actor, for as long as
    /// `owner` lives, with an asynchronous handler.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// center.observe(.loggedIn, owner: self, on: .main) { screen, message in
    ///     await screen.fade(to: message)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - owner: The object whose life bounds the observation.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with the first message that it takes.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - buffering: What the mailbox keeps while the handler is busy; everything, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message. Capture `self` nowhere: use the
    ///     parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observe<M: Message, Owner: AnyObject & Sendable>(
        _ type: MessageType<M>,
        owner: Owner,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Owner, M) async throws -> Void
    ) -> ObservationToken {
        observe(
            M.self,
            owner: owner,
            on: isolation,
            priority: priority,
            once: once,
            about: subject,
            where: type.filter(filter),
            buffering: buffering,
            fileID: fileID,
            line: line,
            handler
        )
    }
}
