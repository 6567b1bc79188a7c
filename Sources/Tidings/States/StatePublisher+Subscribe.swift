// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// The number of observers: closures, live owners, sequences and live subscribers.
    ///
    /// It checks each owner, so its cost grows with the number of observers.
    public var observerCount: Int {
        delivery.channel.sweep()
        return delivery.channel.snapshot().countLiving()
    }

    /// Notifies a subscriber of the current state and every change, as long as it lives.
    ///
    /// The publisher holds it weakly. Subscribing twice changes nothing.
    public func subscribe(_ subscriber: any StateSubscriber) {
        add(subscriber)
    }

    /// Stops notifying a subscriber; has no effect on an object that is not subscribed.
    ///
    /// After this call has returned, no call of the subscriber begins.
    public func unsubscribe(_ subscriber: any StateSubscriber) {
        end(subscriber)
    }

    /// Notifies a main-actor subscriber of the current state and every change, as long as it lives.
    ///
    /// The publisher holds it weakly. Subscribing twice changes nothing. Called on the main actor,
    /// the subscriber is notified of the current state before this call returns.
    ///
    /// ```swift
    /// products.subscribe(screen, on: .main)
    /// ```
    public func subscribe(_ subscriber: any MainStateSubscriber, on isolation: MainIsolation) {
        add(subscriber)
    }

    /// Stops notifying a main-actor subscriber; has no effect on an object that is not subscribed.
    ///
    /// After this call has returned, no call of the subscriber begins, not even one that is pending
    /// for the main actor.
    public func unsubscribe(_ subscriber: any MainStateSubscriber) {
        end(subscriber)
    }

    private func add<Subscriber: StateSubscriber>(_ subscriber: Subscriber) {
        start(settings(.latest), subscriber: subscriber) {
            OwnedRegistration($0, subscriber) {
                [weak self] (subscriber: Subscriber, _: LoadState<Value>) in
                if let self { subscriber.publication(from: self) }
            }
        }
    }

    private func add<Subscriber: MainStateSubscriber>(_ subscriber: Subscriber) {
        var settings = settings([.latest, .main])
        // One pending call is enough: the subscriber reads the newest state.
        settings.mainBuffer = MainActorBuffer(.oldest(1))
        start(settings, subscriber: subscriber) {
            OwnedRegistration(
                $0,
                subscriber,
                main: {
                    [weak self] (subscriber: Subscriber, _: LoadState<Value>) in
                    if let self { subscriber.publication(from: self) }
                }
            )
        }
    }

    private func end(_ subscriber: AnyObject) {
        delivery.channel.snapshot().subscription(of: subscriber)?.cancel()
    }

    /// Subscribing records no source location; a subscriber that needs one records it itself.
    private func settings(_ flags: RegistrationFlags) -> RegistrationSettings {
        let nowhere = SourceLocation(fileID: "", line: 0)
        return RegistrationSettings(home: delivery.channel, flags: flags, source: nowhere)
    }
}
