// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The observers of a publisher and the delivery to these observers, independent of the value's
/// type.
///
/// Only reading and storing the value is generic, so a change costs little more than a post.
@usableFromInline
final class StateDelivery: Sendable {
    let channel = Channel()
    let mainQueue = MainQueue()
    let bridge = ObservationBridge()
    /// The turns, whose lock also guards the state in a ``StateCell``.
    private let turns = Lock(StateTurns())
    private let outdated = Lock<[ObjectIdentifier: @Sendable () -> Void]>([:])
    /// The derived publishers that are observed, by the identity of each hold.
    private let held = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// The remaining work for the caller after a change.
    @usableFromInline
    enum Remainder: Sendable {
        /// No work remains, because the state did not change.
        case unchanged
        /// No work remains, because all observers were called.
        case done
        /// Pending rounds to deliver.
        case rounds
    }

    /// Makes a change under the lock, or returns false if the state stays the same.
    ///
    /// The change queues a round for the given audience, if the audience is not nil. The caller
    /// releases the replaced values outside the lock, because releasing a value may run the user's
    /// code.
    @usableFromInline typealias Change = (inout StateTurns, Audience?) -> Bool

    /// The observers that must be called with a change later.
    @usableFromInline
    struct Audience: Sendable {
        @usableFromInline let observers: SubscriberSnapshot
        /// Whether all observers need only the newest state.
        @usableFromInline let isLatest: Bool
    }

    init() {}

    /// Calls `body` under the lock.
    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout StateTurns) -> Result) -> Result {
        turns.withLock { body(&$0) }
    }

    /// Keeps a derived publisher alive until the publisher's hold is released.
    func hold(_ derived: any AnyObject & Sendable, for key: ObjectIdentifier) {
        held.withLock { $0[key] = derived }
    }

    func release(_ key: ObjectIdentifier) {
        // Released here, outside the lock.
        let derived = held.withLock { $0.removeValue(forKey: key) }
        withExtendedLifetime(derived) {}
    }

    /// Calls `action` once, when the data is invalidated or reset.
    func whenOutdated(_ key: ObjectIdentifier, _ action: @escaping @Sendable () -> Void) {
        outdated.withLock { $0[key] = action }
    }

    func forgetWhenOutdated(_ key: ObjectIdentifier) {
        // Released here, outside the lock.
        let action = outdated.withLock { $0.removeValue(forKey: key) }
        withExtendedLifetime(action) {}
    }

    /// Runs the actions for data that was invalidated or reset.
    @usableFromInline
    func noteOutdated() {
        let actions = outdated.withLock { actions in
            defer { actions = [:] }
            return actions
        }
        for action in actions.values { action() }
    }

    /// Makes a change, and calls the observers if all calls can be made directly on this thread.
    ///
    /// - Parameters:
    ///   - change: Makes the change.
    ///   - publisher: The publisher of the state.
    ///   - told: The storage in which the change leaves the new state.
    /// - Returns: The remaining work.
    @usableFromInline
    func make(_ change: Change, of publisher: AnyObject, told: Incoming) -> Remainder {
        let thread = DeliveryThread.current
        if thread.isDelivering(for: publisher) { return leave(change) }
        var expired = 0
        let remainder = thread.turn(of: publisher) {
            thread.reading(channel) {
                channel.withBuffer { buffer in
                    make(change, told: told, buffer, expired: &expired, on: thread.identity)
                }
            }
        }
        if expired > 0 { channel.sweep() }
        return remainder
    }

    @inline(__always)
    private func make(
        _ change: Change,
        told: Incoming,
        _ buffer: SubscriberBuffer,
        expired: inout Int,
        on thread: UInt
    ) -> Remainder {
        var count = 0
        let remainder = turns.withLock { turns -> Remainder? in
            if channel.isEmpty { return change(&turns, nil) ? .done : .unchanged }
            guard channel.isDirect, channel.isCurrent(buffer), turns.beginDirectly(thread)
            else {
                return queue(change, &turns)
            }
            guard change(&turns, nil) else {
                return turns.end() ? .rounds : .unchanged
            }
            count = buffer.extent.count
            return nil
        }
        if remainder != .unchanged { bridge.changed() }
        if let remainder { return remainder }
        buffer.visit(upTo: count) { registration in
            do {
                if try registration.call(told) == .expired { expired += 1 }
            } catch {
                registration.reportStateError(error)
            }
        }
        return turns.withLock { $0.end() } ? .rounds : .done
    }

    /// Makes a change inside an observer whose turn is not over yet.
    private func leave(_ change: Change) -> Remainder {
        let remainder = turns.withLock { turns -> Remainder in
            if channel.isEmpty { return change(&turns, nil) ? .done : .unchanged }
            return queue(change, &turns)
        }
        if remainder != .unchanged { bridge.changed() }
        return remainder
    }

    private func queue(_ change: Change, _ turns: inout StateTurns) -> Remainder {
        let isLatest = channel.wantsOnlyLatest
        let audience = Audience(observers: channel.snapshot(), isLatest: isLatest)
        return change(&turns, audience) ? .rounds : .unchanged
    }
}
