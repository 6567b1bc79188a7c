// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// Observes the state with a closure until the token is cancelled or dropped.
    ///
    /// The current state is told before this call returns. The closure sees every change, in
    /// order, on the thread that delivers it.
    ///
    /// ```swift
    /// let token = products.observe { state in print(state.phase) }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each state.
    /// - Returns: The token that ends the observation.
    public func observe(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (LoadState<Value>) -> Void
    ) -> ObservationToken {
        add([], fileID, line) { ClosureRegistration($0, handler) }
    }

    /// Observes the state on the main actor until the token is cancelled or dropped.
    ///
    /// Called on the main actor, the current state is told before this call returns; elsewhere it
    /// is queued there.
    ///
    /// ```swift
    /// let token = products.observe(on: .main) { state in table.show(state) }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each state.
    /// - Returns: The token that ends the observation.
    public func observe(
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (LoadState<Value>) -> Void
    ) -> ObservationToken {
        add(.main, fileID, line) { ClosureRegistration($0, main: handler) }
    }

    /// Observes the state for as long as `owner` lives.
    ///
    /// The owner is held weakly, handed to the handler strongly and kept alive for the call.
    ///
    /// ```swift
    /// products.observe(owner: self) { owner, state in owner.show(state) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose life bounds the observation.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each state. Capture `self` nowhere: use the parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Owner, LoadState<Value>) -> Void
    ) -> ObservationToken {
        add([], fileID, line) { OwnedRegistration($0, owner, handler) }
    }

    /// Observes the state on the main actor for as long as `owner` lives: the form for screens.
    ///
    /// ```swift
    /// products.observe(owner: self, on: .main) { screen, state in screen.show(state) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose life bounds the observation.
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each state. Capture `self` nowhere: use the parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Owner, LoadState<Value>) -> Void
    ) -> ObservationToken {
        add(.main, fileID, line) { OwnedRegistration($0, owner, main: handler) }
    }

    /// Every state from now on, the current one first, for one reader.
    ///
    /// ```swift
    /// for await state in products.states { show(state) }
    /// ```
    public var states: ObservationSequence<LoadState<Value>> {
        states(buffering: .unbounded)
    }

    /// Returns the states from now on, the current one first, for one reader.
    ///
    /// ```swift
    /// for await newest in products.states(buffering: .newest(1)) { show(newest) }
    /// ```
    ///
    /// Of `.newest(1)` a state may be replaced on its way, before it is here to be counted as
    /// dropped.
    ///
    /// - Parameter buffering: What is kept for a slow reader; `.newest(1)` skips to the latest.
    /// - Returns: A sequence for one reader.
    public func states(buffering: Buffering) -> ObservationSequence<LoadState<Value>> {
        let feed = BufferFeed<LoadState<Value>>(buffering)
        let token = add(buffering == .newest(1) ? .latest : [], #fileID, #line) {
            ClosureRegistration($0) { feed.push($0) }
        }
        return ObservationSequence(feed.buffer, token: token)
    }

    private func add(
        _ traits: RegistrationTraits,
        _ fileID: StaticString,
        _ line: UInt,
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let terms = RegistrationTerms(home: home.channel, traits: traits, source: source)
        return ObservationToken(start(terms, make))
    }
}
