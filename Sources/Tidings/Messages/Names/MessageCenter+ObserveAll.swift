// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes every message of this center with a closure until the token is cancelled or
    /// dropped.
    ///
    /// It has its place among the observations of each type and counts as a recipient. A post by
    /// name that no type is made of arrives as ``UntypedMessage``. This is observing, not tracing:
    /// messages that are hidden from those who watch the center arrive as well.
    ///
    /// ```swift
    /// let token = center.observeAll { message in print(type(of: message)) }
    /// ```
    ///
    /// - Parameters:
    ///   - priority: Its place among all observations.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message.
    /// - Returns: The token that ends the observation.
    public func observeAll(
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (any Message) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (any Message) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(priority, once: once, about: subject, where: filter, source)
        return addWildcard(wish) { ClosureRegistration($0, handler) }
    }

    /// Observes every message of this center on the main actor until the token is cancelled or
    /// dropped.
    ///
    /// ```swift
    /// let token = center.observeAll(on: .main) { message in log.append("\(message)") }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: `.main`.
    ///   - priority: Its place among all observations.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - buffering: What is kept of the calls that wait for the main actor.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message.
    /// - Returns: The token that ends the observation.
    public func observeAll(
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (any Message) -> Bool)? = nil,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (any Message) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: once,
            about: subject,
            where: filter,
            onMain: buffering,
            source
        )
        return addWildcard(wish, on: .main) { ClosureRegistration($0, main: handler) }
    }

    /// Observes every message of this center for as long as `owner` lives.
    ///
    /// ```swift
    /// center.observeAll(owner: self) { owner, message in owner.note("\(message)") }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose life bounds the observation.
    ///   - priority: Its place among all observations.
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
    public func observeAll<Owner: AnyObject & Sendable>(
        owner: Owner,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (any Message) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Owner, any Message) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(priority, once: once, about: subject, where: filter, source)
        return addWildcard(wish) { OwnedRegistration($0, owner, handler) }
    }

    /// Observes every message of this center on the main actor for as long as `owner` lives.
    ///
    /// ```swift
    /// center.observeAll(owner: self, on: .main) { screen, message in screen.add("\(message)") }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose life bounds the observation.
    ///   - isolation: `.main`.
    ///   - priority: Its place among all observations.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - buffering: What is kept of the calls that wait for the main actor.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message. Capture `self` nowhere: use the
    ///     parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observeAll<Owner: AnyObject & Sendable>(
        owner: Owner,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (any Message) -> Bool)? = nil,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Owner, any Message) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: once,
            about: subject,
            where: filter,
            onMain: buffering,
            source
        )
        return addWildcard(wish, on: .main) { OwnedRegistration($0, owner, main: handler) }
    }
}
