// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One observer of a publisher.
///
/// It is told the current state by whoever subscribes it. States that other threads deliver
/// meanwhile wait behind that one, so that an older state never comes after a newer one.
final class StateObserver<Value: Sendable>: Sendable {
    private let registration: Registration
    /// The object that subscribed, if this is not an observation by closure.
    private let subscriber: ObjectIdentifier?
    private let backlog = Lock(Fifo<LoadState<Value>>())
    /// Whether the first state was told and nothing waits behind it.
    private let isLive = Atomic(false)

    init(_ registration: Registration, subscriber: ObjectIdentifier? = nil) {
        self.registration = registration
        self.subscriber = subscriber
    }

    var record: ObservationRecord { registration.record }

    /// Whether this is the subscription of `object`, which the caller keeps alive.
    ///
    /// Safe under a lock: at this address stands that object or nothing of ours.
    func isSubscription(of object: AnyObject) -> Bool {
        subscriber == ObjectIdentifier(object) && record.owner === object
    }

    /// Whether this and `other`, whose owner the caller keeps alive, are one object's subscription.
    func isSubscriber(of other: StateObserver) -> Bool {
        guard let subscriber, subscriber == other.subscriber else { return false }
        return record.owner === other.record.owner
    }

    /// Tells the first state, then what came meanwhile.
    ///
    /// Called once.
    func start(with state: LoadState<Value>, _ turn: inout MainTurn) {
        _ = turn.deliver(state, to: registration)
        while let next = nextWaiting() {
            _ = turn.deliver(next, to: registration)
        }
    }

    /// Tells a state, after the first one; false if the owner died.
    func receive(_ state: LoadState<Value>, _ turn: inout MainTurn) -> Bool {
        if !isLive.load(ordering: .acquiring), waits(state) { return true }
        return turn.deliver(state, to: registration)
    }

    private func waits(_ state: LoadState<Value>) -> Bool {
        backlog.withLock { backlog in
            if isLive.load(ordering: .relaxed) { return false }
            backlog.append(state)
            return true
        }
    }

    private func nextWaiting() -> LoadState<Value>? {
        backlog.withLock { backlog in
            let state = backlog.popFirst()
            if state == nil { isLive.store(true, ordering: .releasing) }
            return state
        }
    }
}
