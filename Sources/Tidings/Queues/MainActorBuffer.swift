// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The calls of one observation that are pending in the center's main queue.
///
/// The main queue keeps the order of all calls. The main-actor buffer limits and counts the calls
/// of one observation, and contains all calls that were not dropped.
final class MainActorBuffer: ObservationQueue {
    private let state: Lock<State>

    init(_ buffering: Buffering) {
        state = Lock(State(buffering))
    }

    /// Adds a call, or returns false as `isIn` if the buffer is full.
    ///
    /// A dropped call stays in the main queue as an empty entry.
    func push(_ call: MainCall, hasPlace: Bool) -> (isIn: Bool, dropped: MainCall?) {
        state.withLock { $0.push(call, hasPlace: hasPlace) }
    }

    /// Removes a call whose turn has come, or returns false for a dropped call.
    func take(_ call: MainCall) -> Bool {
        guard let action = state.withLock({ $0.take(call) }) else { return false }
        action.poster?.proceed(.place)
        return true
    }

    /// Accepts no more calls and drops the pending calls.
    func discard() {
        var (calls, posters) = state.withLock { $0.discard() }
        for poster in posters { poster.proceed(.needless) }
        while let call = calls.popFirst() { call.drop() }
    }

    func withBufferState<Result: Sendable>(_ body: (inout BufferState) -> Result) -> Result {
        state.withLock { body(&$0.bufferState) }
    }
}

extension MainActorBuffer {
    /// The contents of a main-actor buffer, as a value.
    struct State: Sendable {
        var bufferState: BufferState
        private var calls = Fifo<MainCall>()

        init(_ buffering: Buffering) {
            bufferState = BufferState(buffering)
        }

        mutating func push(_ call: MainCall, hasPlace: Bool) -> (isIn: Bool, dropped: MainCall?) {
            switch bufferState.admit(hasPlace: hasPlace) {
            case .append:
                calls.append(call)
                return (true, nil)
            case .replaceFirst:
                let dropped = calls.popFirst()
                calls.append(call)
                return (true, dropped)
            case .refuse, .closed:
                return (false, nil)
            }
        }

        /// Returns nil if the call is no longer here.
        mutating func take(_ call: MainCall) -> (poster: WaitingPoster?, call: MainCall)? {
            guard let call = calls.remove(where: { $0 === call }) else { return nil }
            return (bufferState.take(), call)
        }

        mutating func discard() -> (calls: Fifo<MainCall>, posters: [WaitingPoster]) {
            let dropped = calls
            calls = Fifo()
            let posters = bufferState.close()
            bufferState.takeAll()
            return (dropped, posters)
        }
    }
}
