// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// Records messages of several types, and notes of the test, in one order and by name.
///
/// The log records a type from the call of `record` until the release of the log, and does not
/// retain the center. The test chooses the names, such as the type's name, a fixed string, or a
/// string made from the message. By default, the center calls the log after all remaining handlers
/// of the same post. So when a wait returns, those handlers have finished on the posting thread.
///
/// ```swift
/// let log = MessageLog(Started.self, Finished.self, on: center)
/// log.record(Progress.self) { "\($0.percent) %" }
/// try await download.run()
/// try await log.expect("Started", "50 %", "100 %", "Finished")
/// try log.expectNothing()
/// ```
public final class MessageLog: Recording {
    /// One entry of the log.
    public struct Entry: Sendable, CustomStringConvertible {
        /// The name chosen by the test.
        public let name: String
        /// The message, or nil for a note of the test.
        public let message: (any Message)?

        /// The name.
        public var description: String { name }
    }

    private weak let center: MessageCenter?
    /// The entries, which tests read by the methods of ``Recording``.
    public let buffer = RecordingBuffer<Entry> { $0.name }
    private let observations = ObservationBag()

    /// Starts recording types under the names of the types.
    ///
    /// - Parameters:
    ///   - types: The types to start with. `record` adds further types.
    ///   - center: The center to observe.
    public init<each M: Message>(_ types: repeat (each M).Type, on center: MessageCenter) {
        self.center = center
        repeat record(each types)
    }

    /// Starts recording a type under a fixed name.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - name: The name of the entries, by default the type's name.
    ///   - priority: The order among the observations of this type, by default the last.
    public func record<M: Message>(
        _ type: M.Type,
        as name: String? = nil,
        priority: ObservationPriority? = nil
    ) {
        let name = name ?? String(describing: type)
        record(type, priority: priority) { _ in name }
    }

    /// Starts recording a type under names made from the messages.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - priority: The order among the observations of this type, by default the last.
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
    /// Reads entries with the expected names in order, and waits for the missing entries.
    ///
    /// The method throws at the first entry with a different name and does not wait for the rest.
    /// The next call continues after the entries that this call has read.
    ///
    /// ```swift
    /// try await log.expect("Started", "Finished")
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` with the difference, and then marks no entry as read.
    public func expect(
        _ names: String...,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let site = CallSite(fileID: fileID, line: line)
        try await buffer.expect(names, named: names, site) { $0 == $1.name }
    }
}
