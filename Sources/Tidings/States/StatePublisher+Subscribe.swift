// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// How many observe the state: closures, owners, sequences and subscribers that live.
    ///
    /// Looks at each owner, so it costs as much as there are.
    public var observerCount: Int {
        delivery.channel.sweep()
        return delivery.channel.snapshot().countLiving()
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
        end(subscriber)
    }

    /// Begins to tell a subscriber of the main actor of the current state and every change, for as
    /// long as it lives.
    ///
    /// It is held weakly. Subscribing twice changes nothing. Called on the main actor, the current
    /// state is told before this call returns.
    ///
    /// ```swift
    /// products.subscribe(screen, on: .main)
    /// ```
    public func subscribe(_ subscriber: any MainStateSubscriber, on isolation: MainIsolation) {
        add(subscriber)
    }

    /// Stops telling a subscriber of the main actor; one that is not subscribed changes nothing.
    ///
    /// After this call has returned no call of it begins any more, not even of one that waits for
    /// the
    /// main actor.
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
        // One call that waits is enough: it reads the newest state.
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

    /// A subscriber says itself where it subscribes, if it wants to be found.
    private func settings(_ flags: RegistrationFlags) -> RegistrationSettings {
        let nowhere = SourceLocation(fileID: "", line: 0)
        return RegistrationSettings(home: delivery.channel, flags: flags, source: nowhere)
    }
}
