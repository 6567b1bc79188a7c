// SPDX-License-Identifier: Apache-2.0

// This file holds the most common observation calls. Options belong to a selection:
// ``MessageCenter/messages(of:fileID:line:)``.

extension MessageCenter {
    /// Observes a type of message with a closure until the token is cancelled or dropped.
    ///
    /// The closure runs on the poster's thread, before `post` returns, and two threads may run it
    /// simultaneously. The observation receives each post that starts after this call has returned.
    /// An error from the closure does not stop any other handler and goes to the center's error
    /// hooks.
    ///
    /// ```swift
    /// let token = center.observe(LoggedIn.self) { print("hello, \($0.name)") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with each message.
    /// - Returns: The token that ends the observation.
    public func observe<M: Message>(
        _ type: M.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (M) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return addPlain(of: type, at: source) {
            ClosureRegistration($0, handler)
        }
    }

    /// Observes a type of message as long as `owner` lives.
    ///
    /// The observation holds the owner weakly, passes the owner to the handler and keeps the owner
    /// alive for the call. The handler is never called once the owner's `deinit` has started. After
    /// the owner's deallocation, the next observe, cancel, post or count of this type releases the
    /// closure. An owner that stores the token releases the closure immediately.
    ///
    /// ```swift
    /// center.observe(LoggedIn.self, owner: self) { owner, message in
    ///     owner.greet(message.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - owner: The object whose lifetime bounds the observation.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the owner and each message. Use the parameter and do not capture
    ///     `self`.
    /// - Returns: A token whose `cancel()` ends the observation early. Dropping the token while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observe<M: Message, Owner: AnyObject & Sendable>(
        _ type: M.Type,
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Owner, M) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return addPlain(of: type, at: source) {
            OwnedRegistration($0, owner, handler)
        }
    }

    /// Observes a type of message on the main actor until the token is cancelled or dropped.
    ///
    /// The handler runs inline, before `post` returns, if the post is made on the main actor. Every
    /// other post joins the center's queue, which the main actor drains in order. Cancellation is
    /// checked again just before each call.
    ///
    /// ```swift
    /// let token = center.observe(LoggedIn.self, on: .main) { title.text = $0.name }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with each message.
    /// - Returns: The token that ends the observation.
    public func observe<M: Message>(
        _ type: M.Type,
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (M) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return addPlain(of: type, on: .main, at: source) {
            ClosureRegistration($0, main: handler)
        }
    }

    /// Observes a type of message on the main actor as long as `owner` lives.
    ///
    /// Use this form for screens. The rules of observing with an owner and the rules of observing
    /// on the main actor both apply. If the handler needs `await`, write
    /// `messages(of: LoggedIn.self).observe(owner: self) { @MainActor screen, message in … }`.
    ///
    /// ```swift
    /// center.observe(LoggedIn.self, owner: self, on: .main) { screen, message in
    ///     screen.title = message.name
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - owner: The object whose lifetime bounds the observation.
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the owner and each message. Use the parameter and do not capture
    ///     `self`.
    /// - Returns: A token whose `cancel()` ends the observation early. Dropping the token while the
    ///   owner lives changes nothing.
    @discardableResult
    public func observe<M: Message, Owner: AnyObject & Sendable>(
        _ type: M.Type,
        owner: Owner,
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Owner, M) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return addPlain(of: type, on: .main, at: source) {
            OwnedRegistration($0, owner, main: handler)
        }
    }

    /// Adds an observation without options.
    ///
    /// No generic value is built for the options, because the lookup of such a type takes a fifth
    /// of the time of an observation.
    private func addPlain<M: Message>(
        of type: M.Type,
        on place: RegistrationFlags = [],
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        channel(of: type, on: .current).use { channel in
            let settings = RegistrationSettings(in: channel, on: place, at: source)
            return add(settings, in: channel, replay: .none, of: type, make)
        }
    }
}
