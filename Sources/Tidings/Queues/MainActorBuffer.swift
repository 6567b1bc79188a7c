// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The calls of one observation that wait in its center's queue for the main actor.
///
/// The queue has the order of all of them; the main-actor buffer bounds and counts those of its
/// observation, and knows which of them still stand.
final class MainActorBuffer: ObservationQueue {
    private let state: Lock<State>

    init(_ buffering: Buffering) {
        state = Lock(State(buffering))
    }

    /// Lets a call in; false if there is no room for it.
    ///
    /// What it drops for that stays in the main queue, empty.
    func push(_ call: MainCall, hasPlace: Bool) -> (isIn: Bool, dropped: MainCall?) {
        state.withLock { $0.push(call, hasPlace: hasPlace) }
    }

    /// Lets a call out whose turn has come; false if it was dropped.
    func take(_ call: MainCall) -> Bool {
        guard let action = state.withLock({ $0.take(call) }) else { return false }
        action.poster?.proceed(.place)
        return true
    }

    /// Takes nothing more and drops what waits.
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
    /// What a main-actor buffer holds, as a value.
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

        /// Nil if the call is not here any more.
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
