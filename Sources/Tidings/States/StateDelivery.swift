// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Who observes a publisher and who tells them, whatever the type of its value.
///
/// What is generic is only the value's way in and out, so a change costs little more than a post.
@usableFromInline
final class StateDelivery: Sendable {
    let channel = Channel()
    let mainQueue = MainQueue()
    let bridge = ObservationBridge()
    /// Guards the state as well: see ``StateCell``.
    private let turns = Lock(StateTurns())
    private let outdated = Lock<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// What a change leaves to the caller.
    @usableFromInline
    enum Remainder: Sendable {
        /// Nothing: there was no change.
        case unchanged
        /// Nothing: everybody was told.
        case done
        /// The rounds that wait.
        case rounds
    }

    /// What makes a change under the lock; false if there is nothing to change.
    ///
    /// It queues a round for those who are handed to it, if anybody is. What it replaces it leaves
    /// to its caller: nothing foreign is released here.
    @usableFromInline typealias Change = (inout StateTurns, Audience?) -> Bool

    /// Those who must be told of a change later.
    @usableFromInline
    struct Audience: Sendable {
        @usableFromInline let observers: SubscriberSnapshot
        /// Whether all of them are content with the newest state.
        @usableFromInline let isLatest: Bool
    }

    init() {}

    /// Calls `body` under the lock.
    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout StateTurns) -> Result) -> Result {
        turns.withLock { body(&$0) }
    }

    /// Calls `action` once, when the data is invalidated or reset.
    func whenOutdated(_ key: ObjectIdentifier, _ action: @escaping @Sendable () -> Void) {
        outdated.withLock { $0[key] = action }
    }

    func forgetWhenOutdated(_ key: ObjectIdentifier) {
        // Released here, not under the lock.
        let action = outdated.withLock { $0.removeValue(forKey: key) }
        withExtendedLifetime(action) {}
    }

    /// Notes that the data was invalidated or reset.
    @usableFromInline
    func noteOutdated() {
        let actions = outdated.withLock { actions in
            defer { actions = [:] }
            return actions
        }
        for action in actions.values { action() }
    }

    /// Makes a change and tells observers of it, if that is nothing but calling them on this
    /// thread.
    ///
    /// - Parameters:
    ///   - change: Makes it.
    ///   - publisher: Whose change it is.
    ///   - told: Where the change leaves the state that it made.
    /// - Returns: What is left to do.
    @usableFromInline
    func make(_ change: Change, of publisher: AnyObject, told: Incoming) -> Remainder {
        let thread = DeliveryThread.current
        if thread.isDelivering(for: publisher) { return leave(change) }
        var expired = 0
        let remainder = thread.turn(of: publisher) {
            thread.reading(channel) {
                channel.withBuffer { buffer in
                    make(change, told: told, buffer, &expired, thread.identity)
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
        _ expired: inout Int,
        _ thread: UInt
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

    /// Makes a change inside an observer, whose turn is not over.
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
