// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension StatePublisher {
    /// Adds an observer and calls it with the current state.
    ///
    /// If another thread delivers simultaneously, calls from that thread are held back until the
    /// first state is delivered, so that an older state never follows a newer one.
    ///
    /// - Parameters:
    ///   - settings: The settings of the observer.
    ///   - subscriber: The object that subscribes. An object that is already subscribed is not
    ///     added again.
    ///   - make: Makes the registration.
    /// - Returns: The registration.
    @discardableResult
    func start(
        _ settings: RegistrationSettings,
        subscriber: AnyObject? = nil,
        _ make: (RegistrationSettings) -> Registration
    ) -> Registration {
        delivery.channel.sweep(atMost: SubscriberList.sweepLimit)
        let thread = DeliveryThread.current
        let turn = delivery.beginStart(thread.identity)
        var settings = settings
        let gate = turn == .taken ? ReplayGate<GatedCall>() : nil
        if let gate {
            settings.flags.insert(.gated)
            settings.gate = gate
            delivery.channel.add(.full(1))
        }
        if let hold = hold() { settings.addDidEnd { hold.release() } }
        let registration = make(settings)
        if let state = insert(registration, for: subscriber) {
            thread.deliver(for: self) {
                tell(registration, state)
                while let call = gate?.next() { call(registration) }
            }
        }
        if gate != nil { delivery.channel.add(.full(-1)) }
        if turn == .own, delivery.endTurn() { deliverRounds() }
        return registration
    }

    /// Adds a registration and returns the first state, or nil if the object is already subscribed.
    private func insert(
        _ registration: Registration,
        for subscriber: AnyObject?
    ) -> LoadState<Value>? {
        while true {
            let (snapshot, insertions) = delivery.channel.subscribers.withLock {
                (SubscriberSnapshot($0), $0.insertions)
            }
            if let subscriber, snapshot.subscription(of: subscriber) != nil { return nil }
            var state: LoadState<Value>?
            let insertion = delivery.insert(
                registration,
                ifAt: subscriber == nil ? nil : insertions
            ) {
                state = cell.access(&$0) { $0.state }
            }
            guard let insertion else { continue }
            delivery.channel.conclude(insertion, of: registration)
            return state
        }
    }

    /// Calls one observer with one state.
    private func tell(_ registration: Registration, _ state: LoadState<Value>) {
        DeliveryThread.current.reading(delivery.channel) {
            // Pending calls belong to other registrations. If run here, such a call would call an
            // observer inside a call of the same observer.
            var turn = MainTurn(delivery.mainQueue, home: self, drainsFirst: false)
            _ = turn.deliver(state: state, to: registration)
        }
    }

    /// Calls `action` after all observers were called with every earlier change.
    ///
    /// The action runs on this thread before the call returns, unless another thread still delivers
    /// or this thread is inside an observer.
    package func whenTold(_ action: @escaping @Sendable () -> Void) {
        let nobody = delivery.channel.snapshot()
        let isQueued = delivery.withLock { turns in
            guard turns.isBusy else { return false }
            cell.access(&turns) { $0.queueAction(action, nobody) }
            turns.queue()
            return true
        }
        if !isQueued { action() }
    }

    func runRounds(_ thread: UInt) {
        guard delivery.beginRounds(thread) else { return }
        while true {
            var round: StateMemory<Value>.Round?
            delivery.nextRound { round = cell.access(&$0) { $0.popRound() } }
            guard let round else { return }
            if let action = round.action { action() } else { deliver(round) }
        }
    }

    private func deliver(_ round: StateMemory<Value>.Round) {
        var turn = MainTurn(delivery.mainQueue, home: self)
        var hasExpired = false
        DeliveryThread.current.reading(delivery.channel) {
            let (state, extent) = (round.state, round.observers.extent)
            round.observers.buffer.visit(upTo: extent.count) { registration in
                if registration.holdsBack({ [self] in tell($0, state) }) { return }
                if turn.deliver(state: state, to: registration) == .expired { hasExpired = true }
            }
        }
        if hasExpired { delivery.channel.sweep() }
    }
}

extension SubscriberSnapshot {
    /// Returns the registration of an object that is subscribed.
    func subscription(of object: AnyObject) -> Registration? {
        (0..<extent.count).lazy.filter { !buffer.isRemoved($0) }.map { buffer[$0] }
            .first { registration in
                // A mailbox of states is not a subscription.
                registration.flags.contains(.latest) && registration.place != .task
                    && registration.isActive && registration.isOwned(by: object)
            }
    }
}

extension MainTurn {
    /// Calls an observer with a state on this thread or queues the call, and reports the handler's
    /// error.
    fileprivate mutating func deliver<State: Sendable>(
        state: State,
        to registration: Registration
    ) -> CallOutcome {
        do {
            return try deliver(state, to: registration) {
                DeferredCall { error, registration in registration.reportStateError(error) }
            }
        } catch {
            registration.reportStateError(error)
            return .called
        }
    }
}

extension Registration {
    /// Reports the error of an observer of a state to the default center, because a publisher has
    /// no hooks.
    func reportStateError(_ error: any Error) {
        MessageCenter.default.report(error, of: self)
    }
}
