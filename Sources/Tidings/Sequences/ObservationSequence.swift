// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Observed values as an asynchronous sequence.
///
/// It receives from the moment it is created, not from the first `next`. A reader that is slow
/// delays nobody; its ``Buffering`` says what is kept, and ``dropped`` counts the rest. It ends
/// after ``cancel()`` or, after what is buffered, with the center or publisher it observes; a trace
/// only when its center goes.
///
/// The first iterator takes what was received until then. Each further one observes on its own
/// from the moment it is made, with the options of the sequence: values that were retained, or the
/// current state, come first again. Cancelling the task that reads, or dropping an iterator, ends
/// that iterator alone. When the sequence and its iterators are dropped, what is buffered is
/// released at once.
///
/// ```swift
/// let messages = center.messages(of: LoggedIn.self).buffering(.newest(100)).values
/// for await message in messages { print(message.name) }
/// ```
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// Reading never fails.
    public typealias Failure = Never

    private let source: SequenceSource

    /// - Parameter observe: Begins to fill a buffer for this sequence's `Element`. Called now and
    ///   for each iterator after the first; what it captures is released when the sequence is
    ///   cancelled or dropped.
    init(_ observe: @escaping SequenceSource.Observe) {
        source = SequenceSource(LayoutOf<Element>(), observe)
    }

    /// How many values wait, for all iterators together.
    public var pending: Int { source.pending }

    /// How many values were lost because a buffer was full, by all iterators together, those that
    /// have ended among them.
    public var dropped: Int { source.dropped }

    /// Ends the sequence and all its iterators after what is buffered for each.
    public func cancel() {
        source.cancel()
    }

    /// Returns an iterator: the first one takes what was received until now, each further one
    /// receives from now on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: SequenceReader(source))
    }

    /// Reads the values of one sequence, in order.
    public struct Iterator: AsyncIteratorProtocol {
        /// Reading never fails.
        public typealias Failure = Never

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

/// What an iterator has taken and not returned yet.
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

    /// Waits for more; at the end there is none.
    func fill(isolation: isolated (any Actor)?) async {
        // Something is left here only if the task was cancelled.
        inbox = ValueRing(observed.buffer.layout)
        if await !observed.buffer.fill(&inbox, isolation: isolation) { observed.cancel() }
    }
}

/// What a registration holds of a buffer: when the registration goes, the sequence ends.
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
