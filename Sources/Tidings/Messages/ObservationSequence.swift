// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Observed values as an asynchronous sequence for one reader.
///
/// It receives from the moment it is created, not from the first `next`. A reader that is slow
/// delays nobody; its ``Buffering`` says what is kept, and ``dropped`` counts the rest. It ends
/// when the reading task is cancelled, when the sequence and its iterator are dropped, or, after
/// what is buffered, with the center or publisher it observes.
///
/// ```swift
/// let messages = center.messages(of: LoggedIn.self, buffering: .newest(100))
/// for await message in messages { print(message.name) }
/// ```
public struct ObservationSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// Reading never fails.
    public typealias Failure = Never

    private let storage: Storage

    init(_ buffer: ObservationBuffer<Element>, token: ObservationToken) {
        storage = Storage(buffer: buffer, token: token)
    }

    /// How many values the reader lost because its buffer was full.
    public var dropped: Int { storage.buffer.dropped }

    /// Ends the sequence after what is buffered.
    public func cancel() {
        storage.token.cancel()
    }

    /// Returns the one iterator of this sequence.
    ///
    /// - Precondition: It is called once. Make a sequence for each reader.
    public func makeAsyncIterator() -> Iterator {
        let isFirst = !storage.hasIterator.exchange(true, ordering: .relaxed)
        require(isFirst, ObservationBuffer<Element>.oneReader)
        return Iterator(storage: storage)
    }

    /// Reads the values of one sequence, in order.
    public struct Iterator: AsyncIteratorProtocol {
        /// Reading never fails.
        public typealias Failure = Never

        fileprivate let storage: Storage

        /// Returns the next value, or nil when the sequence has ended or the task is cancelled.
        public mutating func next() async -> Element? {
            await storage.next(isolation: #isolation)
        }

        /// Returns the next value, or nil when the sequence has ended or the task is cancelled.
        ///
        /// - Parameter isolation: The actor that the caller stays on.
        /// - Returns: The next value or nil.
        public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
            await storage.next(isolation: isolation)
        }
    }

    /// Lives as long as the sequence or its iterator; with it goes the token.
    fileprivate final class Storage: Sendable {
        let buffer: ObservationBuffer<Element>
        let token: ObservationToken
        let hasIterator = Atomic(false)

        init(buffer: ObservationBuffer<Element>, token: ObservationToken) {
            self.buffer = buffer
            self.token = token
        }

        func next(isolation: isolated (any Actor)?) async -> Element? {
            let element = await buffer.next(isolation: isolation)
            if element == nil { token.cancel() }
            return element
        }
    }
}

@available(*, unavailable)
extension ObservationSequence.Iterator: Sendable {}

/// What a registration holds of a buffer: when the registration goes, the sequence ends.
final class BufferFeed<Element: Sendable>: Sendable {
    private let buffer: ObservationBuffer<Element>

    init(_ buffer: ObservationBuffer<Element>) {
        self.buffer = buffer
    }

    deinit { buffer.finish() }

    func push(_ element: Element) {
        buffer.push(element)
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
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    /// - Returns: A sequence for one reader.
    public func messages<M: Message>(
        of type: M.Type,
        buffering: Buffering = .unbounded,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationSequence<M> {
        let buffer = ObservationBuffer<M>(buffering)
        let feed = BufferFeed(buffer)
        let token = observe(type, priority: priority, fileID: fileID, line: line) {
            feed.push($0)
        }
        return ObservationSequence(buffer, token: token)
    }
}
