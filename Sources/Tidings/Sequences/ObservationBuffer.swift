// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Values on their way to one reader.
///
/// It is not generic: a post to many sequences would look up each type anew. Who makes one names
/// the type, hands over values of that type only, and reads as that type.
final class ObservationBuffer: ObservationQueue {
    static let oneReader =
        "An iterator is read by one task at a time. Make an iterator for each reader."

    let layout: ValueLayout
    private let state: Lock<State>
    /// How many values the reader has taken and not returned yet.
    private let unread = Atomic(0)

    init(_ buffering: Buffering, of layout: ValueLayout) {
        self.layout = layout
        state = Lock(State(buffering, of: layout))
    }

    // MARK: The poster's end

    func push(_ value: Incoming, hasPlace: Bool = false) {
        switch state.withLock({ $0.push(value, hasPlace: hasPlace) }) {
        case .none: break
        case .wake(let reader): reader()
        case .release(let dropped): withExtendedLifetime(dropped) {}
        }
    }

    /// Ends the sequence after what is buffered.
    func close() {
        perform(state.withLock { $0.close(discarding: false) })
        callIfDrained()
    }

    /// Ends the sequence at once.
    func discard() {
        perform(state.withLock { $0.close(discarding: true) })
        setUnread(0)
        callIfDrained()
    }

    /// Calls `action` once nothing can come and everything is read or dropped.
    func whenDrained(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.drained.append(action) }
        callIfDrained()
    }

    private func callIfDrained() {
        let isRead = unread.load(ordering: .relaxed) == 0
        for action in state.withLock({ $0.drained.take(if: isRead && $0.isDrained) }) { action() }
    }

    private func perform(_ action: State.CloseAction) {
        action.reader?()
        for poster in action.posters { poster.proceed(.needless) }
    }

    // MARK: The reader's end

    /// Waits for values and moves them to `inbox`, which is empty; false at the end.
    func fill(_ inbox: inout ValueRing, isolation: isolated (any Actor)?) async -> Bool {
        var hasYielded = isolation != nil
        while !Task.isCancelled {
            switch take(into: &inbox) {
            case .read(let poster):
                poster?.proceed(.place)
                return true
            case .end:
                callIfDrained()
                return false
            case .wait: break
            }
            if hasYielded {
                await park(isolation: isolation)
            } else {
                // Waking a reader costs the poster more than anything else it does. Where messages
                // come fast, the next ones are here when the other tasks had their turn.
                hasYielded = true
                await Task.yield()
            }
        }
        discard()
        return false
    }

    /// Says how much of what it has taken the reader has not returned yet.
    func setUnread(_ count: Int) {
        unread.store(count, ordering: .relaxed)
    }

    private func take(into inbox: inout ValueRing) -> State.TakeAction {
        inbox.shrink()
        return state.withLock { state in
            let action = state.take(into: &inbox)
            setUnread(inbox.count)
            return action
        }
    }

    private func park(isolation: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { continuation in
                if !state.withLock({ $0.park { continuation.resume() } }) { continuation.resume() }
            }
        } onCancel: {
            discard()
        }
    }

    // MARK: Places and figures

    var pending: Int { withBufferState { $0.count } + unread.load(ordering: .relaxed) }

    func withBufferState<Result: Sendable>(_ body: (inout BufferState) -> Result) -> Result {
        state.withLock { body(&$0.bufferState) }
    }
}
