// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A buffer and the observation that fills it.
final class ObservedBuffer: Sendable {
    let buffer: ObservationBuffer
    /// Nil if nothing fills it.
    private let token: ObservationToken?

    init(_ buffer: ObservationBuffer, token: ObservationToken?) {
        self.buffer = buffer
        self.token = token
    }

    /// One that is at its end.
    static func ended(_ layout: ValueLayout) -> ObservedBuffer {
        let buffer = ObservationBuffer(.unbounded, of: layout)
        buffer.close()
        return ObservedBuffer(buffer, token: nil)
    }

    deinit {
        token?.cancel()
        // An ended registration keeps its place, and with it the buffer, until its home makes room.
        buffer.discard()
    }

    func cancel() {
        token?.cancel()
    }
}

/// What a sequence and its iterators share; when the last of them goes, everything ends.
final class SequenceSource: Sendable {
    /// Begins to fill a buffer of that layout; nil if there is nothing to observe any more.
    typealias Observe = @Sendable (ValueLayout) -> ObservedBuffer?

    private struct State: Sendable {
        /// What the first iterator takes.
        var first: ObservedBuffer?
        /// What iterators read.
        var taken: [ObservedBuffer] = []
        /// What iterators lost that have left.
        var dropped = 0
        /// Nil once the sequence was cancelled.
        var observe: Observe?

        var all: [ObservedBuffer] { (first.map { [$0] } ?? []) + taken }
    }

    private let layout: ValueLayout
    private let state: Lock<State>

    init(_ layout: ValueLayout, _ observe: @escaping Observe) {
        self.layout = layout
        state = Lock(State(first: observe(layout), observe: observe))
    }

    var pending: Int {
        state.withLock { $0.all }.reduce(0) { $0 + $1.buffer.pending }
    }

    var dropped: Int {
        let (all, before) = state.withLock { ($0.all, $0.dropped) }
        return all.reduce(before) { $0 + $1.buffer.dropped }
    }

    func cancel() {
        // What it captured is released here, outside the lock.
        let (all, observe) = state.withLock { ($0.all, $0.observe.take()) }
        for observed in all { observed.cancel() }
        withExtendedLifetime(observe) {}
    }

    /// What a new iterator reads.
    func take() -> ObservedBuffer {
        let (first, observe) = state.withLock { state in
            let first = state.first.take()
            if let first { state.taken.append(first) }
            return (first, state.observe)
        }
        if let first { return first }
        // Outside the lock: what is retained passes the user's filter.
        let further = observe?(layout) ?? .ended(layout)
        let isCancelled = state.withLock { state in
            state.taken.append(further)
            return state.observe == nil
        }
        if isCancelled { further.cancel() }
        return further
    }

    /// Ends what an iterator read that goes.
    func leave(_ observed: ObservedBuffer) {
        observed.cancel()
        state.withLock { state in
            state.dropped += observed.buffer.dropped
            state.taken.removeAll { $0 === observed }
        }
    }
}
