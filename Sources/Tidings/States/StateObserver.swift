// SPDX-License-Identifier: Apache-2.0

/// One observer of a publisher.
///
/// It is told the current state by whoever subscribes it. States that other threads deliver
/// meanwhile wait behind that one, so that an older state never comes after a newer one.
final class StateObserver<Value: Sendable>: Sendable {
    let registration: Registration
    /// The object that subscribed, if this is not an observation by closure.
    private let subscriber: ObjectIdentifier?
    private let gate = ReplayGate<LoadState<Value>>()

    init(_ registration: Registration, subscriber: ObjectIdentifier? = nil) {
        self.registration = registration
        self.subscriber = subscriber
    }

    /// Whether this is the subscription of `object`, which the caller keeps alive.
    ///
    /// Safe under a lock: at this address stands that object or nothing of ours.
    func isSubscription(of object: AnyObject) -> Bool {
        subscriber == ObjectIdentifier(object) && registration.isOwned(by: object)
    }

    /// Tells the first state, then what came meanwhile.
    ///
    /// Called once.
    func start(with state: LoadState<Value>, _ turn: inout MainTurn) {
        _ = deliver(state, &turn)
        while let next = gate.next() {
            _ = deliver(next, &turn)
        }
    }

    /// Tells a state, after the first one; false if the owner died.
    func receive(_ state: LoadState<Value>, _ turn: inout MainTurn) -> Bool {
        gate.holds(state) || deliver(state, &turn)
    }

    /// Delivers to the handler; false if the owner died.
    private func deliver(_ state: LoadState<Value>, _ turn: inout MainTurn) -> Bool {
        // The forms of observing a state take no handler that throws.
        if case .orphan? = try? turn.deliver(state, to: registration) { return false }
        return true
    }
}
