// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// Records the messages of one type that a center delivers, for a test to look at or wait for.
///
/// It records from its creation until it is dropped, and keeps no center alive. It is called after
/// the other handlers of the same post, so what they did on the posting thread is done when a wait
/// returns. A ``MessageLog`` records several types in one order.
///
/// A wait needs no sleep: it ends with the message, or, when the task is cancelled, with a
/// ``TidingsTestingError`` that says what came instead.
///
/// ```swift
/// let recorder = MessageRecorder(LoggedIn.self, on: center)
/// login.start()
/// #expect(try await recorder.next().name == "Ada")
/// ```
public final class MessageRecorder<M: Message>: Sendable {
    private let recording = Recording<M> { String(describing: $0) }
    private let token: ObservationToken

    /// Begins to record.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - center: The center that it is posted on.
    ///   - priority: Its place among the observations of this type: the last, unless stated.
    public init(
        _ type: M.Type = M.self,
        on center: MessageCenter,
        priority: ObservationPriority = ObservationPriority(.min)
    ) {
        let recording = recording
        token = center.observe(type, priority: priority) { recording.append($0) }
    }

    /// Everything recorded so far, in the order of delivery.
    public var messages: [M] { recording.elements }

    /// Returns the first message that nobody has read; waits for it if need be.
    ///
    /// A cancelled call reads nothing. Several tasks that call it share the messages.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    public func next(fileID: StaticString = #fileID, line: UInt = #line) async throws -> M {
        try await recording.next(TestSite(fileID: fileID, line: line))
    }

    /// Returns the message at an index, counted from 0 and from the beginning; waits for it if
    /// need be.
    ///
    /// It reads nothing, and may be called again.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    /// - Precondition: `index` is not negative.
    public func message(
        at index: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> M {
        try await recording.element(at: index, TestSite(fileID: fileID, line: line))
    }

    /// Returns the first `count` messages ever recorded; waits until there are as many.
    ///
    /// It reads nothing, and may be called again.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    /// - Precondition: `count` is not negative.
    public func first(
        _ count: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [M] {
        try await recording.first(count, TestSite(fileID: fileID, line: line))
    }

    /// Returns everything recorded as soon as `condition` holds for it.
    ///
    /// The condition is asked now and after each message, on this task. It reads nothing.
    ///
    /// ```swift
    /// let steps = try await recorder.wait { $0.contains { $0.percent == 100 } }
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first, or what `condition`
    ///   throws.
    @discardableResult
    public func wait(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        until condition: ([M]) throws -> Bool
    ) async throws -> [M] {
        try await recording.wait(until: condition, TestSite(fileID: fileID, line: line))
    }

    /// Throws if a message was recorded that nobody has read.
    ///
    /// It does not wait, so it says something only after a point at which the message would have
    /// been there: after the tested call has returned, or after a later message has come.
    ///
    /// - Throws: ``TidingsTestingError`` with the messages.
    public func expectNothing(fileID: StaticString = #fileID, line: UInt = #line) throws {
        try recording.expectNothing(TestSite(fileID: fileID, line: line))
    }
}

extension MessageRecorder where M: Equatable {
    /// Reads as many messages as are expected, waiting for those that have not come.
    ///
    /// It ends at the first message that is another one: it does not wait for the rest.
    ///
    /// ```swift
    /// try await recorder.expect(Progress(percent: 50), Progress(percent: 100))
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` with the difference; then nothing is read.
    public func expect(
        _ messages: M...,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let site = TestSite(fileID: fileID, line: line)
        let names = messages.map { String(describing: $0) }
        try await recording.expect(messages, names, site, ==)
    }
}
