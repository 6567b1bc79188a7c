// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The queue from the observers to the task that delivers the events.
final class NotificationQueue: Sendable {
    private let buffer: Lock<NotificationBuffer>
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init(_ buffer: NotificationBuffer) {
        self.buffer = Lock(buffer)
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of events that the full buffer has dropped.
    var dropped: Int { buffer.withLock { $0.dropped } }

    func append(_ event: LibraryNotifications.Event) {
        buffer.withLock { $0.append(event) }
        arrival.yield()
    }

    /// Waits for an event.
    ///
    /// Returns nil after the end, or if the task was cancelled.
    func next() async -> LibraryNotifications.Event? {
        while !Task.isCancelled {
            if let event = buffer.withLock({ $0.next() }) { return event }
            var iterator = arrivals.makeAsyncIterator()
            guard await iterator.next() != nil else { return nil }
        }
        return nil
    }

    /// Ends the queue after the remaining events.
    func finish() { arrival.finish() }
}
