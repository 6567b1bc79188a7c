// SPDX-License-Identifier: Apache-2.0

extension ObservationSource {
    /// Observes the elements with a closure until the token is cancelled or dropped.
    ///
    /// The closure runs on the poster's thread, before `post` returns, and two threads may run the
    /// closure simultaneously. With ``Selection/buffering(_:)`` or ``Selection/concurrency(_:)``,
    /// the closure runs in a mailbox. The closure is a recipient of each post that starts after
    /// this call has returned. An error from the closure stops no other handler and goes to the
    /// center's error hooks. For states, the error goes to the hooks of ``MessageCenter/default``.
    ///
    /// ```swift
    /// let token = center.messages(of: LoggedIn.self).once().observe { print($0.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with each element.
    /// - Returns: The token that ends the observation.
    public func observe(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Element) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let selection = selection
        if selection.options.isQueued {
            return selection.attach(at: source, Mailbox.step { try handler($0) })
        }
        return selection.attach(at: source) { ClosureRegistration($0, handler) }
    }

    /// Observes the elements as long as `owner` lives.
    ///
    /// The observation holds the owner weakly, passes the owner to the handler and keeps the owner
    /// alive for the call. The handler is never called after the owner's `deinit` has started.
    /// After the owner's deallocation, the next observe, cancel, post or count of this type
    /// releases the closure. An owner that stores the token releases the closure immediately.
    ///
    /// ```swift
    /// center.messages(of: Played.self).about(album).observe(owner: self) { owner, message in
    ///     owner.show(message.title)
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
        _ handler: @escaping @Sendable (Owner, Element) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let selection = selection
        if selection.options.isQueued {
            let step = Mailbox.step(owner) { try handler($0, $1) }
            return selection.attach(owner: owner, at: source, step)
        }
        return selection.attach(at: source) { OwnedRegistration($0, owner, handler) }
    }

    /// Observes the elements on the main actor until the token is cancelled or dropped.
    ///
    /// The handler runs inline, before `post` returns, if the post is made on the main actor. Every
    /// other post joins one queue of the center or publisher. The main actor drains the queue in
    /// order and checks cancellation again just before each call.
    ///
    /// ```swift
    /// let token = products.states.observe(on: .main) { state in table.show(state) }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with each element.
    /// - Returns: The token that ends the observation.
    public func observe(
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Element) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return selection.attach(on: .main, at: source) { ClosureRegistration($0, main: handler) }
    }

    /// Observes the elements on the main actor as long as `owner` lives, which is the form for
    /// screens.
    ///
    /// The rules of the form without an owner and of the form without the main actor apply.
    ///
    /// ```swift
    /// products.states.observe(owner: self, on: .main) { screen, state in screen.show(state) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose lifetime bounds the observation.
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the owner and each element. Use the parameter and do not capture
    ///     `self`.
    /// - Returns: A token that ends the observation earlier, by `cancel()`. While the owner lives,
    ///   dropping the token changes nothing.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Owner, Element) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return selection.attach(on: .main, at: source) {
            OwnedRegistration($0, owner, main: handler)
        }
    }
}
