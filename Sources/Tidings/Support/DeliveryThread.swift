// SPDX-License-Identifier: Apache-2.0

extension DeliveryThread {
    /// Whether a handler of `home` is on this thread's stack.
    @inline(__always)
    func isDelivering(for home: AnyObject) -> Bool {
        turns { $0.contains(ObjectIdentifier(home)) }
    }

    /// Keeps work for the end of the turn that `home` has on this thread.
    func enqueue(for home: AnyObject, _ work: @escaping () -> Void) {
        turns { $0.append(work, for: ObjectIdentifier(home)) }
    }

    /// Runs `body` as a turn of `home`, then everything that was queued meanwhile, in order.
    ///
    /// Within a turn of `home`, `body` simply runs.
    func deliver<Result>(for home: AnyObject, _ body: () -> Result) -> Result {
        isDelivering(for: home) ? body() : turn(of: home, body)
    }

    /// The same, where the caller knows that `home` has no turn.
    @inline(__always)
    func turn<Result>(of home: AnyObject, _ body: () -> Result) -> Result {
        turns { $0.begin(ObjectIdentifier(home)) }
        let result = body()
        // The work runs between two accesses, so it may use this thread's turns itself.
        while let waiting = turns({ $0.end() }) {
            for work in waiting { work() }
        }
        return result
    }
}
