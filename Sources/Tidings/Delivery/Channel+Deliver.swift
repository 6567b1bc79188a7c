// SPDX-License-Identifier: Apache-2.0

extension Channel {
    /// Calls every handler in order, on this thread, or nobody if sending takes a slow-path reason.
    ///
    /// - Parameters:
    ///   - input: A value of this channel's type.
    ///   - thread: The calling thread.
    ///   - failed: Told of a handler that threw.
    /// - Returns: How many it addressed: registered, with a living owner; nil for a
    ///   slow-path reasons.
    @inline(__always)
    func deliver(
        _ input: Incoming,
        on thread: DeliveryThread,
        failed: (any Error, Registration) -> Void
    ) -> Int? {
        var hasExpired = false
        let addressed: Int? = thread.reading(self) {
            withBuffer { buffer in
                let extent = buffer.extent
                // Asked after the extent was read: a slow-path reason is added before the
                // registration that needs it is shown.
                guard isDirect else { return nil }
                return extent.hasExpiring
                    ? deliver(input, toExpiring: buffer, extent, &hasExpired, failed)
                    : deliver(input, to: buffer, extent, on: thread, failed)
            }
        }
        if hasExpired { sweep() }
        return addressed
    }

    /// Calls handlers without owners.
    @inline(__always)
    private func deliver(
        _ input: Incoming,
        to buffer: SubscriberBuffer,
        _ extent: SubscriberExtent,
        on thread: DeliveryThread,
        _ failed: (any Error, Registration) -> Void
    ) -> Int {
        var ended = 0
        let removals = thread.state { $0.removals }
        buffer.visit(upTo: extent.count) { registration in
            do {
                if try registration.call(input) == .ended { ended += 1 }
            } catch {
                failed(error, registration)
            }
        }
        // One that had ended and has its slot was on its way out on another thread, unless a
        // handler of this post has cancelled it and the mark is in a newer buffer.
        if ended > 0, thread.state({ $0.removals }) != removals, !isCurrent(buffer) {
            ended = 0
        }
        return extent.alive - ended
    }

    /// Calls handlers that have an owner, and others among them.
    ///
    /// They are counted before the first call, since a handler may be what releases the owner of
    /// another one; one alone is counted by its call.
    @inline(never)
    private func deliver(
        _ input: Incoming,
        toExpiring buffer: SubscriberBuffer,
        _ extent: SubscriberExtent,
        _ hasExpired: inout Bool,
        _ failed: (any Error, Registration) -> Void
    ) -> Int {
        let isAlone = extent.alive == 1
        let living = isAlone ? 0 : buffer.countLiving(upTo: extent.count)
        var reached = 0
        buffer.visit(upTo: extent.count) { registration in
            do {
                switch try registration.call(input) {
                case .expired: hasExpired = true
                case .ended: break
                case .called, .queued, .skipped: reached += 1
                }
            } catch {
                reached += 1
                failed(error, registration)
            }
        }
        return isAlone ? reached : living
    }
}
