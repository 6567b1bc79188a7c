// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A buffer and the observation that fills it.
final class ObservedBuffer: Sendable {
    let buffer: ObservationBuffer
    /// Nil for a buffer without an observation.
    private let token: ObservationToken?

    init(_ buffer: ObservationBuffer, token: ObservationToken?) {
        self.buffer = buffer
        self.token = token
    }

    /// Returns a buffer without values that accepts no more values.
    static func ended(_ layout: ValueLayout) -> ObservedBuffer {
        let buffer = ObservationBuffer(.unbounded, of: layout)
        buffer.close()
        return ObservedBuffer(buffer, token: nil)
    }

    deinit {
        token?.cancel()
        // An ended registration keeps a position in the subscriber list, and the position keeps the
        // buffer until the registration's home compacts the list.
        buffer.discard()
    }

    func cancel() {
        token?.cancel()
    }
}

/// The shared state of a sequence and all iterators.
///
/// When the last reference to this state is released, all observations end.
final class SequenceSource: Sendable {
    /// Starts to fill a buffer of that layout, or returns nil if the source is gone.
    typealias Observe = @Sendable (ValueLayout) -> ObservedBuffer?

    private struct State: Sendable {
        /// The buffer for the first iterator.
        var first: ObservedBuffer?
        /// The buffers of the iterators.
        var taken: [ObservedBuffer] = []
        /// The number of values lost by iterators that have ended.
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
        // The closure's captured values are released here, outside the lock.
        let (all, observe) = state.withLock { ($0.all, $0.observe.take()) }
        for observed in all { observed.cancel() }
        withExtendedLifetime(observe) {}
    }

    /// Returns the buffer for a new iterator.
    func take() -> ObservedBuffer {
        let (first, observe) = state.withLock { state in
            let first = state.first.take()
            if let first { state.taken.append(first) }
            return (first, state.observe)
        }
        if let first { return first }
        // The closure is called outside the lock, because retained elements pass the user's filter.
        let further = observe?(layout) ?? .ended(layout)
        let isCancelled = state.withLock { state in
            state.taken.append(further)
            return state.observe == nil
        }
        if isCancelled { further.cancel() }
        return further
    }

    /// Ends the observation of an iterator that is released.
    func leave(_ observed: ObservedBuffer) {
        observed.cancel()
        state.withLock { state in
            state.dropped += observed.buffer.dropped
            state.taken.removeAll { $0 === observed }
        }
    }
}
