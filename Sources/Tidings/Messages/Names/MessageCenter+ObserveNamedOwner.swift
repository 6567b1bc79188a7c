// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Observes a name for as long as `owner` lives.
    ///
    /// The owner is held weakly and kept alive for the call. The closure is not handed the owner,
    /// so that code moved from a center of its own reads as before; what needs the owner takes
    /// the form with three parameters, because a closure that captures it keeps it alive.
    ///
    /// ```swift
    /// center.observe(named: "InternetConnect", owner: self) { name, object in print(name) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owner: The object whose life bounds the observation.
    ///   - priority: Its place among the observations of this name and its types.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with the name and the object. Capture `self` nowhere.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        named name: String,
        owner: Owner,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (_ name: String, _ object: (any Sendable)?) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return add(named: name, .init(priority, once: once, about: subject, where: nil, source)) {
            OwnedRegistration($0, owner) { (_, message: UntypedMessage) in
                try handler(message.name, message.object)
            }
        }
    }

    /// Observes a name for as long as `owner` lives, with the owner at hand.
    ///
    /// ```swift
    /// center.observe(named: "InternetConnect", owner: self) { owner, name, object in
    ///     owner.reload()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owner: The object whose life bounds the observation.
    ///   - priority: Its place among the observations of this name and its types.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with the owner, the name and the object.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        named name: String,
        owner: Owner,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler:
            @escaping @Sendable (
                _ owner: Owner, _ name: String, _ object: (any Sendable)?
            ) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return add(named: name, .init(priority, once: once, about: subject, where: nil, source)) {
            OwnedRegistration($0, owner) { (owner, message: UntypedMessage) in
                try handler(owner, message.name, message.object)
            }
        }
    }

    /// Observes a name on the main actor for as long as `owner` lives.
    ///
    /// ```swift
    /// center.observe(named: "InternetConnect", owner: self, on: .main) { name, object in
    ///     banner.show(name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owner: The object whose life bounds the observation.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this name and its types.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - buffering: What is kept of the calls that wait for the main actor.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with the name and the object. Capture `self` nowhere.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        named name: String,
        owner: Owner,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler:
            @escaping @MainActor @Sendable (
                _ name: String, _ object: (any Sendable)?
            ) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish<UntypedMessage>(
            priority,
            once: once,
            about: subject,
            where: nil,
            onMain: buffering,
            source
        )
        return add(named: name, wish, on: .main) {
            OwnedRegistration(
                $0,
                owner,
                main: { (_, message: UntypedMessage) in
                    try handler(message.name, message.object)
                }
            )
        }
    }

    /// Observes a name on the main actor for as long as `owner` lives, with the owner at hand.
    ///
    /// ```swift
    /// center.observe(named: "InternetConnect", owner: self, on: .main) { screen, name, object in
    ///     screen.showBanner(name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owner: The object whose life bounds the observation.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this name and its types.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - buffering: What is kept of the calls that wait for the main actor.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with the owner, the name and the object.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        named name: String,
        owner: Owner,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler:
            @escaping @MainActor @Sendable (
                _ owner: Owner, _ name: String, _ object: (any Sendable)?
            ) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish<UntypedMessage>(
            priority,
            once: once,
            about: subject,
            where: nil,
            onMain: buffering,
            source
        )
        return add(named: name, wish, on: .main) {
            OwnedRegistration(
                $0,
                owner,
                main: { (owner, message: UntypedMessage) in
                    try handler(owner, message.name, message.object)
                }
            )
        }
    }
}
