// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge
import TidingsLock

/// A queue from a thread of the C library to one waiting task.
final class CallbackQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var taken = 0
        var waiter: CheckedContinuation<Void, Never>?
        var end: TransportError?
        var isClosed = false
        var dropped = 0
        var size = 0

        var count: Int { elements.count - taken }

        mutating func take(atMost limit: Int) -> [Element] {
            if taken == 0, elements.count <= limit {
                defer { elements = [] }
                return elements
            }
            let upper = taken + min(count, limit)
            let result = Array(elements[taken..<upper])
            taken = upper
            // The remaining elements are moved rarely, so that a long queue is not copied for each
            // batch.
            if taken * 2 >= elements.count {
                elements.removeFirst(taken)
                taken = 0
            }
            return result
        }
    }

    private let state = Lock(State())
    private let limit: Int
    private let sizeLimit: Int
    private let size: @Sendable (Element) -> Int

    /// Creates a queue that drops and counts elements beyond the limits.
    ///
    /// - Parameters:
    ///   - limit: The largest number of elements.
    ///   - sizeLimit: The largest sum of sizes. One element is always accepted.
    ///   - size: The size of an element.
    init(
        limit: Int = .max,
        sizeLimit: Int = .max,
        size: @escaping @Sendable (Element) -> Int = { _ in 0 }
    ) {
        self.limit = limit
        self.sizeLimit = sizeLimit
        self.size = size
    }

    /// Whether the queue has no element.
    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// The number of elements that wait to be taken.
    var count: Int { state.withLock { $0.count } }

    /// The number of elements that the limit or the end dropped.
    var dropped: Int { state.withLock { $0.dropped } }

    /// The number of elements that wake the waiting task although more are about to come.
    private static var fullBatch: Int { 128 }

    /// Appends an element and wakes the waiting task.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - isLast: Whether no other call is about to come. Otherwise the caller calls `wake()`
    ///     later.
    func append(_ element: Element, isLast: Bool = true) {
        let size = size(element)
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.isClosed { return nil }
            let isWithinSize = state.count == 0 || size <= sizeLimit - state.size
            guard state.count < limit, isWithinSize else {
                state.dropped += 1
                return isLast ? state.waiter.take() : nil
            }
            state.elements.append(element)
            state.size += size
            return isLast || state.count >= Self.fullBatch ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Wakes the waiting task if there are elements, after calls of `append` that were not the
    /// last.
    func wake() {
        state.withLock { $0.count > 0 ? $0.waiter.take() : nil }?.resume()
    }

    /// Lets the reader receive the remaining elements and then the error.
    func finish(_ end: TransportError) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.end == nil { state.end = end }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Drops the elements and returns them, after which the reader receives nothing more.
    @discardableResult
    func close() -> [Element] {
        let (waiter, rest) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, [Element]) in
            state.isClosed = true
            return (state.waiter.take(), state.take(atMost: .max))
        }
        waiter?.resume()
        return rest
    }

    /// Drops and counts the elements, after which the reader receives nothing more.
    func closeAndDrop() {
        let rest = close()
        state.withLock { $0.dropped += rest.count }
    }

    /// Waits for elements, and returns none only after ``close()`` or a cancellation.
    func take(atMost limit: Int) async throws(TransportError) -> [Element] {
        for isSecondTry in [false, true] {
            let (elements, end) = state.withLock { ($0.take(atMost: limit), $0.end) }
            if !elements.isEmpty { return release(elements) }
            if let end { throw end }
            if isSecondTry || Task.isCancelled { break }
            await wait()
        }
        return []
    }

    /// Returns the available elements without waiting.
    func takeNow(atMost limit: Int) -> [Element] {
        release(state.withLock { $0.take(atMost: limit) })
    }

    private func release(_ elements: [Element]) -> [Element] {
        if sizeLimit < .max {
            let sizes = elements.reduce(0) { $0 + size($1) }
            state.withLock { $0.size -= sizes }
        }
        return elements
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumesAtOnce = state.withLock { state in
                    if state.count > 0 || state.end != nil || state.isClosed { return true }
                    // The cancellation is read inside the lock, because the handler below may have
                    // run already.
                    if Task.isCancelled { return true }
                    precondition(state.waiter == nil, "One task at a time calls next(atMost:).")
                    state.waiter = continuation
                    return false
                }
                if resumesAtOnce { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }
}
#endif
