// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// Records the messages of one type that a center delivers, for a test to inspect or wait for.
///
/// It records from its creation until its release, and does not retain the center. By default the
/// center calls it after the other handlers of the same post: when a wait returns, those handlers
/// have finished on the posting thread. A ``MessageLog`` records several types in one order.
///
/// A wait needs no sleep: it returns with the message. If its task is cancelled, it throws a
/// ``TidingsTestingError`` that lists the recorded messages.
///
/// ```swift
/// let recorder = MessageRecorder(LoggedIn.self, on: center)
/// login.start()
/// #expect(try await recorder.next().name == "Ada")
/// ```
public final class MessageRecorder<M: Message>: Sendable {
    private let buffer = RecordingBuffer<M> { String(describing: $0) }
    private let token: ObservationToken

    /// Starts recording.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - center: The center to observe.
    ///   - priority: The order among the observations of this type; the last by default.
    public init(
        _ type: M.Type = M.self,
        on center: MessageCenter,
        priority: ObservationPriority? = nil
    ) {
        let buffer = buffer
        token = center.messages(of: type).priority(priority ?? .last).observe { buffer.append($0) }
    }

    /// All messages recorded so far, in the order of delivery.
    public var messages: [M] { buffer.elements }

    /// Returns the first unread message and marks it as read; waits for it if necessary.
    ///
    /// A cancelled call reads nothing. Concurrent calls return different messages.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    public func next(fileID: StaticString = #fileID, line: UInt = #line) async throws -> M {
        try await buffer.next(CallSite(fileID: fileID, line: line))
    }

    /// Returns the message at an index, counted from 0 and from the first recorded message; waits
    /// for it if necessary.
    ///
    /// It does not mark the message as read.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    /// - Precondition: `index` is not negative.
    public func message(
        at index: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> M {
        try await buffer.element(at: index, CallSite(fileID: fileID, line: line))
    }

    /// Returns the first `count` recorded messages; waits until there are that many.
    ///
    /// It does not mark the messages as read.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    /// - Precondition: `count` is not negative.
    public func first(
        _ count: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [M] {
        try await buffer.first(count, CallSite(fileID: fileID, line: line))
    }

    /// Returns all recorded messages as soon as they satisfy `condition`.
    ///
    /// It calls the condition at once and after each message, in this task, and does not mark
    /// messages as read.
    ///
    /// ```swift
    /// let steps = try await recorder.wait { $0.contains { $0.percent == 100 } }
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first, or the error of
    ///   `condition`.
    @discardableResult
    public func wait(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        until condition: ([M]) throws -> Bool
    ) async throws -> [M] {
        try await buffer.wait(until: condition, CallSite(fileID: fileID, line: line))
    }

    /// Throws if there is an unread message.
    ///
    /// It does not wait. So call it at a point where an unexpected message would already have been
    /// recorded: after the tested call has returned, or after a later message has arrived.
    ///
    /// - Throws: ``TidingsTestingError`` that lists the unread messages.
    public func expectNothing(fileID: StaticString = #fileID, line: UInt = #line) throws {
        try buffer.expectNothing(CallSite(fileID: fileID, line: line))
    }
}

extension MessageRecorder where M: Equatable {
    /// Reads the expected messages in order, and waits for the missing ones.
    ///
    /// It throws at the first different message and does not wait for the rest.
    ///
    /// ```swift
    /// try await recorder.expect(Progress(percent: 50), Progress(percent: 100))
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` with the difference; it then marks no message as read.
    public func expect(
        _ messages: M...,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let site = CallSite(fileID: fileID, line: line)
        let names = messages.map { String(describing: $0) }
        try await buffer.expect(messages, names, site, ==)
    }
}
