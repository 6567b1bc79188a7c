// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The calls of one observation that wait in its center's queue for the main actor.
///
/// The queue has the order of all of them; the lane bounds and counts those of its observation,
/// and knows which of them still stand.
final class MainLane: ObservationQueue {
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

    func withLedger<Result: Sendable>(_ body: (inout QueueLedger) -> Result) -> Result {
        state.withLock { body(&$0.ledger) }
    }
}

extension MainLane {
    /// What a lane holds, as a value.
    struct State: Sendable {
        var ledger: QueueLedger
        private var calls = Fifo<MainCall>()

        init(_ buffering: Buffering) {
            ledger = QueueLedger(buffering)
        }

        mutating func push(_ call: MainCall, hasPlace: Bool) -> (isIn: Bool, dropped: MainCall?) {
            switch ledger.admit(hasPlace: hasPlace) {
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
            return (ledger.take(), call)
        }

        mutating func discard() -> (calls: Fifo<MainCall>, posters: [WaitingPoster]) {
            let dropped = calls
            calls = Fifo()
            let posters = ledger.close()
            ledger.takeAll()
            return (dropped, posters)
        }
    }
}
