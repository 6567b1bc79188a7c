// SPDX-License-Identifier: Apache-2.0

/// Values on their way to one reader.
final class ObservationBuffer<Element: Sendable>: Sendable {
    static var oneReader: String {
        "An observation sequence has one iterator. Make a sequence for each reader."
    }

    private let state: Lock<State>

    init(_ buffering: Buffering) {
        state = Lock(State(buffering))
    }

    var dropped: Int { state.withLock { $0.dropped } }

    func push(_ element: Element) {
        let action = state.withLock { $0.push(element) }
        if case .resume(let reader) = action { reader.resume(returning: element) }
    }

    /// Ends the sequence after what is buffered.
    func finish() {
        state.withLock { $0.finish(discarding: false).reader }?.resume(returning: nil)
    }

    /// Ends the sequence at once.
    func discard() {
        let (reader, _) = state.withLock { $0.finish(discarding: true) }
        reader?.resume(returning: nil)
    }

    func next(isolation: isolated (any Actor)?) async -> Element? {
        if Task.isCancelled { discard() }
        switch state.withLock({ $0.next() }) {
        case .deliver(let element): return element
        case .finish: return nil
        case .wait: break
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { continuation in
                switch state.withLock({ $0.park(continuation) }) {
                case .deliver(let element): continuation.resume(returning: element)
                case .finish: continuation.resume(returning: nil)
                case .wait: break
                }
            }
        } onCancel: {
            discard()
        }
    }
}
