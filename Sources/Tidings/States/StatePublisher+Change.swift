// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// Makes a change and delivers the new state to all observers.
    ///
    /// - Parameter body: Makes the change under the lock and calls no foreign code. The closure
    ///   returns the replaced values, or nil for no change.
    /// - Returns: False if nothing changed.
    @discardableResult
    @inlinable
    @inline(__always)
    package func change(_ body: (inout StateMemory<Value>) -> StateMemory<Value>.Replaced?) -> Bool
    {
        // Released when this function returns, outside the lock.
        var replaced: StateMemory<Value>.Replaced?
        var outdated: StateMemory<Value>.Round?
        var told = LoadState<Value>.unknown
        let remainder = DeliveredState.with(&told) { told, incoming in
            delivery.make(
                { turns, audience in
                    cell.access(&turns) { memory in
                        replaced = body(&memory)
                        guard replaced != nil else { return }
                        if let audience {
                            outdated = memory.queueRound(
                                for: audience.observers,
                                replacingLast: audience.isLatest
                            )
                        } else {
                            told.set(memory.state)
                        }
                    }
                    guard replaced != nil else { return false }
                    if audience != nil, outdated == nil { turns.queue() }
                    return true
                },
                of: self,
                told: incoming
            )
        }
        if remainder == .rounds { deliverRounds() }
        return replaced != nil
    }

    /// Delivers all pending changes to the observers.
    ///
    /// Inside an observer, on the observer's thread, the delivery waits until that observer's turn
    /// is over.
    @usableFromInline
    func deliverRounds() {
        let thread = DeliveryThread.current
        if thread.isDelivering(for: self) {
            thread.enqueue(for: self) { [self] in runRounds(thread.identity) }
        } else {
            thread.deliver(for: self) { runRounds(thread.identity) }
        }
    }
}
