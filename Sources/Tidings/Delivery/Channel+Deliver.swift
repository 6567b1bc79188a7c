// SPDX-License-Identifier: Apache-2.0

extension Channel {
    /// Calls every handler in order, on this thread, or none if the channel has a slow-path reason.
    ///
    /// - Parameters:
    ///   - input: A value of this channel's type.
    ///   - thread: The calling thread.
    ///   - failed: Called when a handler throws.
    /// - Returns: The number of registrations that the value addressed: registered, with a living
    ///   owner. Nil if there is a slow-path reason.
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
                // Checked after reading the extent: the channel adds a slow-path reason before it
                // makes the registration that needs it visible.
                guard isDirect else { return nil }
                return extent.hasExpiring
                    ? deliver(input, toExpiring: buffer, extent, &hasExpired, failed)
                    : deliver(input, to: buffer, extent, on: thread, failed)
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
        // A registration that has ended but still has its slot is being removed by another thread,
        // so it does not count. The exception: a handler of this post cancelled it, and the mark is
        // in a newer buffer.
        if ended > 0, thread.state({ $0.removals }) != removals, !isCurrent(buffer) {
            ended = 0
        }
        return extent.alive - ended
    }

    /// Calls handlers of which at least one has an owner.
    ///
    /// Counts them before the first call, since a handler may release the owner of another one. A
    /// single registration is counted by its call.
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
