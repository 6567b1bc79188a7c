// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// The number of observers: closures, live owners, sequences and live subscribers.
    ///
    /// It checks each owner, so its cost grows with the number of observers.
    package var observerCount: Int {
        delivery.channel.sweep()
        return delivery.channel.snapshot().countLiving()
    }

    /// Calls a closure with an object, for the current state and every change, as long as the
    /// object lives.
    ///
    /// The object is held weakly and has at most one subscription; a second call changes nothing.
    /// The closure may miss a state that was replaced at once, but never the last one.
    package func addSubscription<Subscriber: AnyObject & Sendable>(
        of subscriber: Subscriber,
        _ notify: @escaping @Sendable (Subscriber, StatePublisher) -> Void
    ) {
        // Subscribing records no source location; a subscriber that needs one records it itself.
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

    /// Ends the subscription of an object; has no effect if there is none.
    package func endSubscription(of subscriber: AnyObject) {
        delivery.channel.snapshot().subscription(of: subscriber)?.cancel()
    }
}
