// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes messages that are found by a static member.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// let token = center.observe(.loggedIn) { print("hello, \($0.name)") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
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
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (M) throws -> Void
    ) -> ObservationToken {
        observe(
            M.self,
            priority: priority,
            once: once,
            about: subject,
            where: type.filter(filter),
            fileID: fileID,
            line: line,
            handler
        )
    }

    /// Observes messages that are found by a static member, on the main actor.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// let token = center.observe(.loggedIn, on: .main) { title.text = $0.name }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - buffering: What is kept for this observation while the main actor is busy; everything,
    ///     unless stated.
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
        _ handler: @escaping @MainActor @Sendable (M) throws -> Void
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

    /// Observes messages that are found by a static member, for as long as `owner` lives.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// center.observe(.loggedIn, owner: self) { owner, message in owner.greet(message.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - owner: The object whose life bounds the observation.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
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
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Owner, M) throws -> Void
    ) -> ObservationToken {
        observe(
            M.self,
            owner: owner,
            priority: priority,
            once: once,
            about: subject,
            where: type.filter(filter),
            fileID: fileID,
            line: line,
            handler
        )
    }

    /// Observes messages that are found by a static member, on the main actor, for as long as
    /// `owner` lives.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// center.observe(.loggedIn, owner: self, on: .main) { screen, message in
    ///     screen.title = message.name
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - owner: The object whose life bounds the observation.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - buffering: What is kept for this observation while the main actor is busy; everything,
    ///     unless stated.
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
        _ handler: @escaping @MainActor @Sendable (Owner, M) throws -> Void
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

    /// Returns the messages of a type, found by its static member, as a sequence.
    ///
    /// It receives from now on, by the rules of the form that takes the type itself.
    ///
    /// ```swift
    /// for await message in center.messages(of: .loggedIn) { print(message.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - buffering: What is kept for a slow reader; everything, unless stated.
    ///   - priority: Its place among the observations of this type.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    /// - Returns: A sequence for one reader.
    public func messages<M: Message>(
        of type: MessageType<M>,
        buffering: Buffering = .unbounded,
        priority: ObservationPriority = .normal,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationSequence<M> {
        messages(
            of: M.self,
            buffering: buffering,
            priority: priority,
            about: subject,
            where: type.filter(filter),
            fileID: fileID,
            line: line
        )
    }
}
