// SPDX-License-Identifier: Apache-2.0

extension DeliveryThread {
    /// Whether a handler of `home` is on this thread's stack.
    @inline(__always)
    func isDelivering(for home: AnyObject) -> Bool {
        state { $0.turns.contains(ObjectIdentifier(home)) }
    }

    /// Keeps work until the end of the turn that `home` has on this thread.
    func enqueue(for home: AnyObject, _ work: @escaping () -> Void) {
        state { $0.turns.append(work, for: ObjectIdentifier(home)) }
    }

    /// Runs `body` as a turn of `home`, then all work that was queued during the turn, in order.
    ///
    /// Inside a turn of `home`, this call only runs `body`.
    func deliver<Result>(for home: AnyObject, _ body: () -> Result) -> Result {
        isDelivering(for: home) ? body() : turn(of: home, body)
    }

    /// Runs `body` as a turn of `home`, for a caller that has checked that `home` has no turn.
    @inline(__always)
    func turn<Result>(of home: AnyObject, _ body: () -> Result) -> Result {
        state { $0.turns.begin(ObjectIdentifier(home)) }
        let result = body()
        // The work runs between two accesses and may therefore use this thread's turns.
        while let waiting = state({ $0.turns.end() }) {
            for work in waiting { work() }
        }
        return result
    }

    /// Runs `body` as a reading of `target`.
    ///
    /// Everything that `body` finds in the target stays until `body` returns. Readings nest. The
    /// deepest levels share one word that stands for every target.
    @inline(__always)
    func reading<Result>(_ target: AnyObject, _ body: () -> Result) -> Result {
        beginReading(UInt(bitPattern: ObjectIdentifier(target)))
        let result = body()
        endReading()
        return result
    }

    @inline(__always)
    private func beginReading(_ target: UInt) {
        state { state in
            let level = state.level
            state.level = level + 1
            if level < ReaderRecord.levels - 1 {
                state.record.begin(target, at: level)
            } else if level == ReaderRecord.levels - 1 {
                state.record.begin(ReaderRecord.everything, at: level)
            }
        }
    }

    @inline(__always)
    private func endReading() {
        let isWaitedFor = state { state in
            state.level -= 1
            return state.level < ReaderRecord.levels && state.record.end(at: state.level)
        }
        if isWaitedFor { settle() }
    }

    /// Settles the tickets outside the access to the state, since the tickets may run any deinit.
    @inline(never)
    private func settle() {
        let (record, level) = state { ($0.record, $0.level) }
        record.settle(level)
    }
}
