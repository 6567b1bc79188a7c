// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// A queue of values for one reader.
///
/// The class is not generic, because a post to many sequences would otherwise look up each type
/// again. The owner of a buffer fixes the type, and adds and reads only values of that type.
final class ObservationBuffer: ObservationQueue {
    static let oneReader =
        "An iterator is read by one task at a time. Make an iterator for each reader."

    let layout: ValueLayout
    private let state: Lock<State>
    /// The number of values that the reader has taken but not returned yet.
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

    /// Ends the sequence after the buffered values.
    func close() {
        perform(state.withLock { $0.close(discarding: false) })
        callIfDrained()
    }

    /// Ends the sequence immediately and drops the buffered values.
    func discard() {
        perform(state.withLock { $0.close(discarding: true) })
        setUnread(0)
        callIfDrained()
    }

    /// Calls `action` when no value can arrive any more and every value was read or dropped.
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

    /// Waits for values and moves the values to `inbox`, which is empty.
    ///
    /// - Returns: False at the end.
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
                // Resuming a reader is the most expensive part of a post. At a high message rate,
                // the next values arrive while other tasks take their turn.
                hasYielded = true
                await Task.yield()
            }
        }
        discard()
        return false
    }

    /// Sets the number of values that the reader has taken but not returned yet.
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
