// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Elements that arrived and wait for their reader, until the connection ends.
///
/// Transports of this package use the queue between their own threads and the tasks of the bridge.
package final class FrameQueue<Element: Sendable>: FrameReader {
    private struct State {
        var elements: [Element] = []
        var end: TransportError?
        var isClosed = false
    }

    private let state = Lock(State())
    private let signal = WakeSignal()
    private let limit: Int
    private let didClose: @Sendable (Int) -> Void

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - limit: The number of elements at which `append` refuses more.
    ///   - didClose: Called once, when the reader closes the queue, with the number of unread
    ///     elements.
    package init(limit: Int = .max, didClose: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.limit = limit
        self.didClose = didClose
    }

    deinit { close() }

    /// Adds elements.
    ///
    /// - Returns: The number of elements that had no room.
    package func append(_ elements: some Collection<Element>) -> Int {
        let refused = state.withLock { state in
            guard state.end == nil, !state.isClosed else { return 0 }
            let room = max(limit - state.elements.count, 0)
            state.elements += elements.prefix(room)
            return max(elements.count - room, 0)
        }
        signal.raise()
        return refused
    }

    /// Ends the queue with an error, which the reader receives after the pending elements.
    package func end(_ error: TransportError) {
        state.withLock { state in
            if state.end == nil { state.end = error }
        }
        signal.raise()
    }

    /// Waits for elements, as described at ``FrameReader``.
    package func next(atMost limit: Int) async throws(TransportError) -> [Element] {
        while true {
            let found: Result<[Element], TransportError>? = state.withLock { state in
                if state.isClosed { return .success([]) }
                if !state.elements.isEmpty {
                    let taken = Array(state.elements.prefix(limit))
                    state.elements.removeFirst(taken.count)
                    return .success(taken)
                }
                return state.end.map { .failure($0) }
            }
            if let found { return try found.get() }
            if Task.isCancelled { return [] }
            await signal.wait()
        }
    }

    /// Ends the reading.
    package func close() {
        let unread: Int? = state.withLock { state in
            defer {
                state.isClosed = true
                state.elements = []
            }
            return state.isClosed ? nil : state.elements.count
        }
        guard let unread else { return }
        signal.raise()
        didClose(unread)
    }
}
