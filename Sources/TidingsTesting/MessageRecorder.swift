// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// Records the messages of one type that a center delivers, for a test to look at or wait for.
///
/// It records from its creation until it is dropped. Waiting needs no sleep: it ends with the
/// message, or with `CancellationError` when the test is over.
///
/// ```swift
/// let recorder = MessageRecorder(LoggedIn.self, on: center)
/// login.start()
/// #expect(try await recorder.next().name == "Ada")
/// ```
public final class MessageRecorder<M: Message>: Sendable {
    private let log = Log()
    private let token: ObservationToken

    /// Begins to record.
    public init(_ type: M.Type = M.self, on center: MessageCenter) {
        let log = log
        token = center.observe(type) { log.append($0) }
    }

    /// Everything recorded so far, in the order of delivery.
    public var messages: [M] { log.messages.withLock { $0.messages } }

    /// Returns the next message that no `next` has returned yet; waits for it if need be.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first; that message is skipped.
    public func next() async throws -> M {
        let index = log.messages.withLock { messages in
            defer { messages.read += 1 }
            return messages.read
        }
        return try await log.first(index + 1)[index]
    }

    /// Returns the first `count` messages ever recorded; waits until there are as many.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func first(_ count: Int) async throws -> [M] {
        try await log.first(count)
    }

    /// What the handler writes to; the handler must not hold the recorder.
    private final class Log: Sendable {
        struct Messages {
            var messages: [M] = []
            var read = 0
        }

        let messages = Lock(Messages())
        let level = Level()

        func append(_ message: M) {
            messages.withLock { $0.messages.append(message) }
            level.add(1)
        }

        func first(_ count: Int) async throws -> [M] {
            try await level.wait(for: count)
            return messages.withLock { Array($0.messages.prefix(count)) }
        }
    }
}
