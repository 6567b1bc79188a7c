// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// Records messages of several types, and notes of the test itself, in one order and by name.
///
/// It records a type from the call of `record` until its own release, and does not retain the
/// center. The test chooses the names: the type's name, a fixed text, or a text made from the
/// message. By default the center calls the log after the other handlers of the same post: when a
/// wait returns, those handlers have finished on the posting thread.
///
/// ```swift
/// let log = MessageLog(Started.self, Finished.self, on: center)
/// log.record(Progress.self) { "\($0.percent) %" }
/// try await download.run()
/// try await log.expect("Started", "50 %", "100 %", "Finished")
/// try log.expectNothing()
/// ```
public final class MessageLog: Sendable {
    /// One entry of the log.
    public struct Entry: Sendable, CustomStringConvertible {
        /// The name that the test chose.
        public let name: String
        /// The message; nil for a note of the test.
        public let message: (any Message)?

        /// The name.
        public var description: String { name }
    }

    private weak let center: MessageCenter?
    private let buffer = RecordingBuffer<Entry> { $0.name }
    private let observations = ObservationBag()

    /// Starts recording types under their own names.
    ///
    /// - Parameters:
    ///   - types: The types to start with; `record` adds others.
    ///   - center: The center to observe.
    public init<each M: Message>(_ types: repeat (each M).Type, on center: MessageCenter) {
        self.center = center
        repeat record(each types)
    }

    /// Starts recording a type under a fixed name.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - name: The name of its entries; the type's name by default.
    ///   - priority: The order among the observations of this type; the last by default.
    public func record<M: Message>(
        _ type: M.Type,
        as name: String? = nil,
        priority: ObservationPriority? = nil
    ) {
        let name = name ?? String(describing: type)
        record(type, priority: priority) { _ in name }
    }

    /// Starts recording a type under names made from its messages.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - priority: The order among the observations of this type; the last by default.
    ///   - name: Returns the name of a message. Called on the posting thread.
    public func record<M: Message>(
        _ type: M.Type,
        priority: ObservationPriority? = nil,
        as name: @escaping @Sendable (M) -> String
    ) {
        let buffer = buffer
        center?.messages(of: type).priority(priority ?? .last).observe { message in
            buffer.append(Entry(name: name(message), message: message))
        }.store(in: observations)
    }

    /// Appends an entry without a message, for example when a handler ran or a delegate was called.
    public func note(_ name: String) {
        buffer.append(Entry(name: name, message: nil))
    }

    /// All entries recorded so far, in order.
    public var entries: [Entry] { buffer.elements }

    /// The names of all entries recorded so far, in order.
    public var names: [String] { buffer.elements.map(\.name) }
}

extension MessageLog {
    /// Returns the first unread entry and marks it as read; waits for it if necessary.
    ///
    /// A cancelled call reads nothing. Concurrent calls return different entries.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    public func next(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Entry {
        try await buffer.next(CallSite(fileID: fileID, line: line))
    }

    /// Returns the entry at an index, counted from 0 and from the first entry; waits for it if
    /// necessary.
    ///
    /// It does not mark the entry as read.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    /// - Precondition: `index` is not negative.
    public func entry(
        at index: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Entry {
        try await buffer.element(at: index, CallSite(fileID: fileID, line: line))
    }

    /// Returns all entries as soon as they satisfy `condition`.
    ///
    /// It calls the condition at once and after each entry, in this task, and does not mark entries
    /// as read.
    ///
    /// ```swift
    /// try await log.wait { $0.count { $0.name == "Retried" } == 3 }
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first, or the error of
    ///   `condition`.
    @discardableResult
    public func wait(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        until condition: ([Entry]) throws -> Bool
    ) async throws -> [Entry] {
        try await buffer.wait(until: condition, CallSite(fileID: fileID, line: line))
    }

    /// Reads entries with the expected names in order, and waits for the missing ones.
    ///
    /// It throws at the first entry with a different name and does not wait for the rest. The next
    /// call continues after the entries that this call has read.
    ///
    /// ```swift
    /// try await log.expect("Started", "Finished")
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` with the difference; it then marks no entry as read.
    public func expect(
        _ names: String...,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let site = CallSite(fileID: fileID, line: line)
        try await buffer.expect(names, names, site) { $0 == $1.name }
    }

    /// Throws if there is an unread entry.
    ///
    /// It does not wait. So call it at a point where an unexpected message would already have been
    /// recorded: after the tested call has returned, or after a later message has arrived.
    ///
    /// - Throws: ``TidingsTestingError`` that lists the names of the unread entries.
    public func expectNothing(fileID: StaticString = #fileID, line: UInt = #line) throws {
        try buffer.expectNothing(CallSite(fileID: fileID, line: line))
    }
}
