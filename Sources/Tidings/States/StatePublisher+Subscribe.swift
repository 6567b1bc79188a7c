// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// The number of observers: closures, live owners, sequences and live subscribers.
    ///
    /// It checks each owner, so its cost grows with the number of observers.
    package var observerCount: Int {
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

    private func add<Subscriber: StateSubscriber>(_ subscriber: Subscriber) {
        start(settings(.latest), subscriber: subscriber) {
            OwnedRegistration($0, subscriber) {
                [weak self] (subscriber: Subscriber, _: LoadState<Value>) in
                if let self { subscriber.publication(from: self) }
            }
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
