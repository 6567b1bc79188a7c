// SPDX-License-Identifier: Apache-2.0

// The most common observation calls for a publisher, and the selection of its states.

extension StatePublisher {
    /// The current state and every later one.
    ///
    /// An observation receives the current state before `observe` returns, or queues it if its
    /// handler runs elsewhere, and then receives each change, in order.
    ///
    /// ```swift
    /// products.states.where { !$0.isLoading }.observe(owner: self, on: .main) { screen, state in
    ///     screen.show(state)
    /// }
    /// for await state in products.states.values { print(state.phase) }
    /// ```
    public var states: Selection<LoadState<Value>> {
        Selection(.states, of: self, at: .unknown)
    }

    /// Observes the state with a closure until the token is cancelled or dropped.
    ///
    /// The closure receives the current state before this call returns, and each change on the
    /// thread that makes it. Apart from that, the same form of a ``Selection`` defines the rules.
    ///
    /// ```swift
    /// let token = products.observe { state in print(state.phase) }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with each state.
    /// - Returns: The token that ends the observation.
    public func observe(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (LoadState<Value>) throws -> Void
    ) -> ObservationToken {
        states.observe(fileID: fileID, line: line, handler)
    }

    /// Observes the state on the main actor until the token is cancelled or dropped.
    ///
    /// Called on the main actor, the handler receives the current state before this call returns;
    /// elsewhere that call is queued on the main actor. Apart from that, the same form of a
    /// ``Selection`` defines the rules.
    ///
    /// ```swift
    /// let token = products.observe(on: .main) { state in table.show(state) }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with each state.
    /// - Returns: The token that ends the observation.
    public func observe(
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (LoadState<Value>) throws -> Void
    ) -> ObservationToken {
        states.observe(on: isolation, fileID: fileID, line: line, handler)
    }

    /// Observes the state as long as `owner` lives.
    ///
    /// The owner receives the current state before this call returns. Apart from that, the same
    /// form of a ``Selection`` defines the rules.
    ///
    /// ```swift
    /// products.observe(owner: self) { owner, state in owner.show(state) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose lifetime bounds the observation.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the owner and each state. Use the parameter and do not capture
    ///     `self`.
    /// - Returns: A token that ends the observation earlier, by `cancel()`.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Owner, LoadState<Value>) throws -> Void
    ) -> ObservationToken {
        states.observe(owner: owner, fileID: fileID, line: line, handler)
    }

    /// Observes the state on the main actor as long as `owner` lives: the form for screens.
    ///
    /// Called on the main actor, the owner receives the current state before this call returns;
    /// elsewhere that call is queued on the main actor. Apart from that, the same form of a
    /// ``Selection`` defines the rules.
    ///
    /// ```swift
    /// products.observe(owner: self, on: .main) { screen, state in screen.show(state) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose lifetime bounds the observation.
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with the owner and each state. Use the parameter and do not capture
    ///     `self`.
    /// - Returns: A token that ends the observation earlier, by `cancel()`.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Owner, LoadState<Value>) throws -> Void
    ) -> ObservationToken {
        states.observe(owner: owner, on: isolation, fileID: fileID, line: line, handler)
    }
}

extension StatePublisher: SelectionOrigin {
    /// A publisher has no hooks of its own.
    var errorCenter: MessageCenter { .default }

    func add<Element: Sendable>(
        _ kind: SelectionKind,
        _ options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        ObservationToken(start(options.settings(in: delivery.channel, on: place, at: source), make))
    }
}
