// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes a type of message with a closure until the token is cancelled or dropped.
    ///
    /// The closure runs on the thread that posts, and two threads may be inside it at once. It is
    /// a recipient of every post that begins after this call has returned. An error that it throws
    /// stops nobody else and goes to the center's error hook.
    ///
    /// ```swift
    /// let token = center.observe(LoggedIn.self) { print("hello, \($0.name)") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
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
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (M) throws -> Void
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
        return add(wish) { ClosureRegistration($0, handler) }
    }

    /// Observes a type of message on the main actor until the token is cancelled or dropped.
    ///
    /// The handler runs inline, before `post` returns, when the post is made on the main actor.
    /// Every other post joins one queue per center that the main actor drains in order;
    /// cancellation is checked again just before each call.
    ///
    /// ```swift
    /// let token = center.observe(LoggedIn.self, on: .main) { title.text = $0.name }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
    ///   - buffering: What is kept for this observation while the main actor is busy; everything,
    ///     unless stated.
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
        _ handler: @escaping @MainActor @Sendable (M) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: once,
            about: subject,
            where: filter,
            replay: replay,
            onMain: buffering,
            source
        )
        return add(wish, on: .main) { ClosureRegistration($0, main: handler) }
    }

    /// Observes a type of message for as long as `owner` lives.
    ///
    /// The owner is held weakly, handed to the handler strongly and kept alive for the call. The
    /// handler is never called once the owner's `deinit` has begun. The closure itself is released
    /// by the next observe, cancel, post or count of this type after the owner's death; an owner
    /// that stores the token releases it when it dies.
    ///
    /// ```swift
    /// center.observe(LoggedIn.self, owner: self) { owner, message in
    ///     owner.greet(message.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - owner: The object whose life bounds the observation.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
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
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Owner, M) throws -> Void
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
        return add(wish) { OwnedRegistration($0, owner, handler) }
    }

    /// Observes a type of message on the main actor for as long as `owner` lives.
    ///
    /// The form for screens: the owner is held weakly, the handler runs on the main actor by the
    /// same rules as the other main-actor form.
    ///
    /// ```swift
    /// center.observe(LoggedIn.self, owner: self, on: .main) { screen, message in
    ///     screen.title = message.name
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - owner: The object whose life bounds the observation.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - replay: Which retained messages it is told first; none, unless stated.
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
        _ handler: @escaping @MainActor @Sendable (Owner, M) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: once,
            about: subject,
            where: filter,
            replay: replay,
            onMain: buffering,
            source
        )
        return add(wish, on: .main) { OwnedRegistration($0, owner, main: handler) }
    }
}
