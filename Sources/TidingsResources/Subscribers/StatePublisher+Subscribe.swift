// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension StatePublisher: AnyStatePublisher {
    /// The case of the current state.
    public var phase: LoadPhase { state.phase }

    /// The error of the current state, or nil if the state is not `error`.
    public var error: (any Error)? { state.error }

    /// Notifies a subscriber of the current state and of every change during the subscriber's
    /// lifetime.
    ///
    /// The publisher holds the subscriber weakly. Subscribing twice changes nothing.
    public func subscribe(_ subscriber: any StateSubscriber) {
        add(subscriber)
    }

    /// Stops notifying a subscriber, with no effect on an object that is not subscribed.
    ///
    /// After this call has returned, no call of the subscriber starts.
    public func unsubscribe(_ subscriber: any StateSubscriber) {
        endSubscription(of: subscriber)
    }

    private func add<Subscriber: StateSubscriber>(_ subscriber: Subscriber) {
        addSubscription(of: subscriber) { subscriber, publisher in
            subscriber.publication(from: publisher)
        }
    }
}
