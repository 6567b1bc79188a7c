// SPDX-License-Identifier: Apache-2.0

extension Channel {
    /// Calls every handler in order, on this thread, or none if the channel has a slow-path reason.
    ///
    /// - Parameters:
    ///   - input: A value of this channel's type.
    ///   - thread: The calling thread.
    ///   - failed: Called when a handler throws.
    /// - Returns: The number of addressed registrations, which are registered and have a living
    ///   owner, or nil if there is a slow-path reason.
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
                // The reasons are checked after the extent was read, because the channel adds a
                // slow-path reason before the registration that needs the reason becomes visible.
                guard isDirect else { return nil }
                return extent.hasExpiring
                    ? deliver(
                        input,
                        toExpiring: buffer,
                        within: extent,
                        hasExpired: &hasExpired,
                        failed
                    )
                    : deliver(input, to: buffer, within: extent, on: thread, failed)
            }
        }
        if hasExpired { sweep() }
        return addressed
    }

    /// Calls handlers that have no owner.
    @inline(__always)
    private func deliver(
        _ input: Incoming,
        to buffer: SubscriberBuffer,
        within extent: SubscriberExtent,
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
        // An ended registration that still has a slot is being removed by another thread and does
        // not count. The exception is a registration that a handler of this post cancelled and
        // whose mark is in a newer buffer.
        if ended > 0, thread.state({ $0.removals }) != removals, !isCurrent(buffer) {
            ended = 0
        }
        return extent.alive - ended
    }

    /// Calls handlers of which at least one has an owner.
    ///
    /// The handlers are counted before the first call, since a handler may release the owner of
    /// another handler. A single registration is counted by the call.
    @inline(never)
    private func deliver(
        _ input: Incoming,
        toExpiring buffer: SubscriberBuffer,
        within extent: SubscriberExtent,
        hasExpired: inout Bool,
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
