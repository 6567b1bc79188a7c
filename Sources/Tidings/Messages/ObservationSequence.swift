// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Observed values as an asynchronous sequence for one reader.
///
/// It receives from the moment it is created, not from the first `next`. A reader that is slow
/// delays nobody; its ``Buffering`` says what is kept, and ``dropped`` counts the rest. It ends
/// when the reading task is cancelled, when the sequence and its iterator are dropped, or, after
/// what is buffered, with the center or publisher it observes; a trace only when its center goes.
///
/// ```swift
/// let messages = center.messages(of: LoggedIn.self, buffering: .newest(100))
/// for await message in messages { print(message.name) }
/// ```
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// Reading never fails.
    public typealias Failure = Never

    private let source: SequenceSource

    /// - Parameters:
    ///   - buffer: Made for this sequence's `Element`.
    ///   - token: What ends the observation that fills it.
    init(_ buffer: ObservationBuffer, token: ObservationToken) {
        source = SequenceSource(buffer: buffer, token: token)
    }

    /// How many values wait for the reader.
    public var pending: Int { source.buffer.pending }

    /// How many values the reader lost because its buffer was full.
    public var dropped: Int { source.buffer.dropped }

    /// Ends the sequence after what is buffered.
    public func cancel() {
        source.token.cancel()
    }

    /// Returns the one iterator of this sequence.
    ///
    /// - Precondition: It is called once. Make a sequence for each reader.
    public func makeAsyncIterator() -> Iterator {
        let isFirst = !source.hasIterator.exchange(true, ordering: .relaxed)
        require(isFirst, ObservationBuffer.oneReader)
        return Iterator(reader: SequenceReader(source))
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

/// Lives as long as the sequence or its iterator; with it goes the token.
private final class SequenceSource: Sendable {
    let buffer: ObservationBuffer
    let token: ObservationToken
    let hasIterator = Atomic(false)

    init(buffer: ObservationBuffer, token: ObservationToken) {
        self.buffer = buffer
        self.token = token
    }
}

/// What an iterator has taken and not returned yet.
private final class SequenceReader {
    private let source: SequenceSource
    private var inbox: ValueRing

    init(_ source: SequenceSource) {
        self.source = source
        inbox = ValueRing(source.buffer.layout)
    }

    /// Returns the next value, if one was taken and the task is not cancelled.
    func popFirst<Element>(as type: Element.Type) -> Element? {
        if Task.isCancelled { return nil }
        let value = inbox.popFirst(as: type)
        source.buffer.setUnread(inbox.count)
        return value
    }

    /// Waits for more; at the end there is none.
    func fill(isolation: isolated (any Actor)?) async {
        // Something is left here only if the task was cancelled.
        inbox = ValueRing(source.buffer.layout)
        if await !source.buffer.fill(&inbox, isolation: isolation) { source.token.cancel() }
    }
}

/// What a registration holds of a buffer: when the registration goes, the sequence ends.
final class BufferFeed<Element: Sendable>: Sendable {
    let buffer: ObservationBuffer

    init(_ buffering: Buffering) {
        buffer = ObservationBuffer(buffering, of: LayoutOf<Element>())
    }

    deinit { buffer.close() }

    func push(_ element: Element) {
        Incoming.with(element) { buffer.push($0) }
    }
}

extension MessageCenter {
    /// Returns the messages of a type as a sequence that receives from now on.
    ///
    /// ```swift
    /// for await message in center.messages(of: LoggedIn.self) { print(message.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - buffering: What is kept for a slow reader; everything, unless stated.
    ///   - priority: Its place among the observations of this type.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes the message by.
    ///   - replay: Which retained messages it has first; none, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    /// - Returns: A sequence for one reader.
    public func messages<M: Message>(
        of type: M.Type,
        buffering: Buffering = .unbounded,
        priority: ObservationPriority = .normal,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        replay: Replay = .none,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationSequence<M> {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: false,
            about: subject,
            where: filter,
            replay: replay,
            source
        )
        let buffer = ObservationBuffer(buffering, of: LayoutOf<M>())
        let token = add(wish) { SequenceRegistration($0, buffer) }
        return ObservationSequence(buffer, token: token)
    }
}
