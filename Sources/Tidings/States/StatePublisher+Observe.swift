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
    public func observe(
        _ handler: @escaping @Sendable (LoadState<Value>) -> Void
    ) -> ObservationToken {
        add(Registration(priority: .normal, handler))
    }

    /// Observes the state on the main actor until the token is cancelled or dropped.
    ///
    /// Called on the main actor, the current state is told before this call returns; elsewhere it
    /// is queued there.
    ///
    /// ```swift
    /// let token = products.observe(on: .main) { state in table.show(state) }
    /// ```
    public func observe(
        on isolation: MainIsolation,
        _ handler: @escaping @MainActor @Sendable (LoadState<Value>) -> Void
    ) -> ObservationToken {
        add(Registration(priority: .normal, main: handler))
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
    ///   - handler: What to do with each state. Capture `self` nowhere: use the parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        _ handler: @escaping @Sendable (Owner, LoadState<Value>) -> Void
    ) -> ObservationToken {
        add(Registration(priority: .normal, owner: owner, handler))
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
    ///   - handler: What to do with each state. Capture `self` nowhere: use the parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        on isolation: MainIsolation,
        _ handler: @escaping @MainActor @Sendable (Owner, LoadState<Value>) -> Void
    ) -> ObservationToken {
        add(Registration(priority: .normal, owner: owner, main: handler))
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
    /// - Parameter buffering: What is kept for a slow reader; `.newest(1)` skips to the latest.
    /// - Returns: A sequence for one reader.
    public func states(buffering: Buffering) -> ObservationSequence<LoadState<Value>> {
        let buffer = ObservationBuffer<LoadState<Value>>(buffering)
        let feed = BufferFeed(buffer)
        return ObservationSequence(buffer, token: observe { feed.push($0) })
    }

    /// Begins to tell a subscriber of the current state and every change, for as long as it lives.
    ///
    /// It is held weakly. Subscribing twice changes nothing.
    public func subscribe(_ subscriber: any StateSubscriber) {
        add(subscriber)
    }

    /// Stops telling a subscriber; one that is not subscribed changes nothing.
    ///
    /// After this call has returned no call of it begins any more.
    public func unsubscribe(_ subscriber: any StateSubscriber) {
        let observer = store.withLock { $0.remove { $0.isSubscription(of: subscriber) } }
        _ = observer?.record.end()
    }

    private func add<Subscriber: StateSubscriber>(_ subscriber: Subscriber) {
        let registration = Registration(priority: .normal, owner: subscriber) {
            [weak self] (subscriber: Subscriber, _: LoadState<Value>) in
            if let self { subscriber.publication(from: self) }
        }
        start(StateObserver(registration, subscriber: ObjectIdentifier(subscriber)))
    }

    private func add(_ registration: Registration) -> ObservationToken {
        start(StateObserver(registration))
        return ObservationToken(registration.record, home: self)
    }
}
