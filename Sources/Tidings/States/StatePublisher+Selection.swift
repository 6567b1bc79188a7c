// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// The current state and every later state.
    ///
    /// An observation receives the current state before `observe` returns. If the handler runs
    /// elsewhere, the observation queues the state instead. Then the observation receives each
    /// change, in order.
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
}

extension StatePublisher: ObservationSource {
    /// The same as ``states``.
    public var selection: Selection<LoadState<Value>> { states }
}

extension StatePublisher: SelectionOrigin {
    /// The default center, because a publisher has no hooks.
    var errorCenter: MessageCenter { .default }

    func add<Element: Sendable>(
        _ kind: SelectionKind,
        with options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        ObservationToken(start(options.settings(in: delivery.channel, on: place, at: source), make))
    }
}

extension StatePublisher {
    /// The number of observers, which are closures, live owners, sequences and live subscribers.
    ///
    /// The property checks each owner, so the cost grows with the number of observers.
    package var observerCount: Int {
        delivery.channel.sweep()
        return delivery.channel.snapshot().countLiving()
    }

    /// Calls a closure with an object, for the current state and every change, as long as the
    /// object lives.
    ///
    /// The object is held weakly and has at most one subscription. A second call changes nothing.
    /// The closure may miss a state that was replaced immediately, but never the last state.
    package func addSubscription<Subscriber: AnyObject & Sendable>(
        of subscriber: Subscriber,
        _ notify: @escaping @Sendable (Subscriber, StatePublisher) -> Void
    ) {
        // Subscribing records no source location. A subscriber that needs a location records one
        // separately.
        let settings = RegistrationSettings(
            home: delivery.channel,
            flags: .latest,
            source: SourceLocation(fileID: "", line: 0)
        )
        start(settings, subscriber: subscriber) {
            OwnedRegistration($0, subscriber) {
                [weak self] (subscriber: Subscriber, _: LoadState<Value>) in
                if let self { notify(subscriber, self) }
            }
        }
    }

    /// Ends the subscription of an object, if the object is subscribed.
    package func endSubscription(of subscriber: AnyObject) {
        delivery.channel.snapshot().subscription(of: subscriber)?.cancel()
    }
}
