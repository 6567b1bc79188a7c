// SPDX-License-Identifier: Apache-2.0

/// A record of elements in order, which a test inspects or waits for.
///
/// A wait needs no sleep, because the wait returns with the element. If the task is cancelled, the
/// wait throws a ``TidingsTestingError`` that lists the recorded elements.
public protocol Recording<Element>: Sendable {
    /// The type of the recorded elements.
    associatedtype Element: Sendable

    /// The recorded elements, which the methods of this protocol read.
    var buffer: RecordingBuffer<Element> { get }
}

extension Recording {
    /// Returns the first unread element and marks the element as read, after a wait if necessary.
    ///
    /// A cancelled call reads nothing. Concurrent calls return different elements.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    public func next(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Element {
        try await buffer.next(CallSite(fileID: fileID, line: line))
    }

    /// Returns the element at an index, counted from 0, after a wait if necessary.
    ///
    /// The method does not mark the element as read.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    /// - Precondition: `index` is not negative.
    public func element(
        at index: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Element {
        try await buffer.element(at: index, CallSite(fileID: fileID, line: line))
    }

    /// Returns the first `count` recorded elements, after a wait if necessary.
    ///
    /// The method does not mark the elements as read.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    /// - Precondition: `count` is not negative.
    public func first(
        _ count: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [Element] {
        try await buffer.first(count, CallSite(fileID: fileID, line: line))
    }

    /// Returns all recorded elements as soon as they satisfy `condition`.
    ///
    /// The method calls the condition immediately and after each element, in this task, and does
    /// not mark elements as read.
    ///
    /// ```swift
    /// let steps = try await recorder.wait { $0.contains { $0.percent == 100 } }
    /// try await log.wait { $0.count { $0.name == "Retried" } == 3 }
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first, or the error of
    ///   `condition`.
    @discardableResult
    public func wait(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        until condition: ([Element]) throws -> Bool
    ) async throws -> [Element] {
        try await buffer.wait(until: condition, CallSite(fileID: fileID, line: line))
    }

    /// Throws if there is an unread element.
    ///
    /// The method does not wait. So call the method at a point where an unexpected message would
    /// already have been recorded, such as after the return of the tested call, or after the
    /// arrival of a later message.
    ///
    /// - Throws: ``TidingsTestingError`` that lists the unread elements.
    public func expectNothing(fileID: StaticString = #fileID, line: UInt = #line) throws {
        try buffer.expectNothing(CallSite(fileID: fileID, line: line))
    }
}
