// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Observed values as an asynchronous sequence.
///
/// The sequence receives values from the moment of creation, not from the first `next`. A slow
/// reader does not delay posters. The ``Buffering`` limits the pending values, and ``dropped``
/// counts the values that a full buffer drops. The sequence ends after ``cancel()``, or with the
/// center or publisher after the buffered values. A trace ends only when the traced center is
/// deallocated.
///
/// The first iterator takes the values received until then. Each further iterator observes
/// separately from the moment of creation, with the options of the sequence, and first receives
/// retained values or the current state. Cancelling the task that reads, or dropping an iterator,
/// ends only that iterator. When the sequence and all iterators are dropped, the buffered values
/// are released immediately.
///
/// ```swift
/// let messages = center.messages(of: LoggedIn.self).buffering(.newest(100)).values
/// for await message in messages { print(message.name) }
/// ```
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
    private let source: SequenceSource

    /// - Parameter observe: Starts to fill a buffer for this sequence's `Element`. Called now and
    ///   for each iterator after the first. The captured values are released when the sequence is
    ///   cancelled or dropped.
    init(_ observe: @escaping SequenceSource.Observe) {
        source = SequenceSource(LayoutOf<Element>(), observe)
    }

    /// Creates a sequence of the values that `observe` passes to the received closure.
    ///
    /// - Parameters:
    ///   - buffering: The values to keep for a slow reader.
    ///   - observe: Starts to observe, and returns the token that ends the observation, or nil if
    ///     the source is gone.
    package init(
        _ buffering: Buffering,
        observing observe:
            @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> ObservationToken?
    ) {
        self.init { layout in
            let feed = BufferFeed<Element>(buffering, of: layout)
            guard let token = observe({ feed.push($0) }) else { return nil }
            return ObservedBuffer(feed.buffer, token: token)
        }
    }

    /// The number of pending values, for all iterators together.
    package var pending: Int { source.pending }

    /// The number of values lost because a buffer was full, for all iterators together, including
    /// iterators that have ended.
    public var dropped: Int { source.dropped }

    /// Ends the sequence and all iterators after the buffered values.
    public func cancel() {
        source.cancel()
    }

    /// Returns an iterator for one reader.
    ///
    /// The first iterator takes the values received until now. Each further iterator receives
    /// values from now on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: SequenceReader(source))
    }

    /// Reads the values of one sequence, in order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: SequenceReader

        /// Returns the next value, or nil when the sequence has ended or the task is cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }

        /// Returns the next value, or nil when the sequence has ended or the task is cancelled.
        ///
        /// - Parameter isolation: The actor that the caller stays on.
        /// - Returns: The next value or nil.
        public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
            if let value = reader.popFirst(as: Element.self) { return value }
            await reader.fill(isolation: isolation)
            return reader.popFirst(as: Element.self)
        }
    }
}

@available(*, unavailable)
extension ObservationSequence.Iterator: Sendable {}

/// The values that an iterator has taken but not returned yet.
private final class SequenceReader {
    private let source: SequenceSource
    private let observed: ObservedBuffer
    private var inbox: ValueRing

    init(_ source: SequenceSource) {
        self.source = source
        observed = source.take()
        inbox = ValueRing(observed.buffer.layout)
    }

    deinit { source.leave(observed) }

    /// Returns the next value, if one was taken and the task is not cancelled.
    func popFirst<Element>(as type: Element.Type) -> Element? {
        if Task.isCancelled { return nil }
        let value = inbox.popFirst(as: type)
        observed.buffer.setUnread(inbox.count)
        return value
    }

    /// Waits for more values, and adds none at the end of the sequence.
    func fill(isolation: isolated (any Actor)?) async {
        // The inbox still has values only if the task was cancelled.
        inbox = ValueRing(observed.buffer.layout)
        if await !observed.buffer.fill(&inbox, isolation: isolation) { observed.cancel() }
    }
}

/// A registration's reference to a buffer, whose release ends the sequence.
final class BufferFeed<Element: Sendable>: Sendable {
    let buffer: ObservationBuffer

    init(_ buffering: Buffering, of layout: ValueLayout) {
        buffer = ObservationBuffer(buffering, of: layout)
    }

    deinit { buffer.close() }

    func push(_ element: Element) {
        Incoming.with(element) { buffer.push($0) }
    }
}
