// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// Records messages of several types, and whatever a test notes itself, in one order and by name.
///
/// It records from each `record` until it is dropped, and keeps no center alive. Names are the
/// test's own: the type's, a fixed text, or a text made of the message. It is called after the
/// other handlers of the same post, so what they did on the posting thread is done when a wait
/// returns.
///
/// ```swift
/// let log = MessageLog(Started.self, Finished.self, on: center)
/// log.record(Progress.self) { "\($0.percent) %" }
/// try await download.run()
/// try await log.expect("Started", "50 %", "100 %", "Finished")
/// try log.expectNothing()
/// ```
public final class MessageLog: Sendable {
    /// One line of the log.
    public struct Entry: Sendable, CustomStringConvertible {
        /// What the test calls it.
        public let name: String
        /// The message; nil for what the test noted itself.
        public let message: (any Message)?

        /// The name.
        public var description: String { name }
    }

    private weak let center: MessageCenter?
    private let recording = Recording<Entry> { $0.name }
    private let observations = ObservationBag()

    /// Begins to record types under their own names.
    ///
    /// - Parameters:
    ///   - types: The types to begin with; `record` adds others.
    ///   - center: The center that they are posted on.
    public init<each M: Message>(_ types: repeat (each M).Type, on center: MessageCenter) {
        self.center = center
        repeat record(each types)
    }

    /// Begins to record a type.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - name: What its messages are called: the type's name, unless stated.
    ///   - priority: Its place among the observations of this type: the last, unless stated.
    public func record<M: Message>(
        _ type: M.Type,
        as name: String? = nil,
        priority: ObservationPriority = ObservationPriority(.min)
    ) {
        let name = name ?? String(describing: type)
        record(type, priority: priority) { _ in name }
    }

    /// Begins to record a type under names made of its messages.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - priority: Its place among the observations of this type: the last, unless stated.
    ///   - name: What a message is called; it runs on the thread that posts.
    public func record<M: Message>(
        _ type: M.Type,
        priority: ObservationPriority = ObservationPriority(.min),
        as name: @escaping @Sendable (M) -> String
    ) {
        let recording = recording
        center?.observe(type, priority: priority) { message in
            recording.append(Entry(name: name(message), message: message))
        }.store(in: observations)
    }

    /// Writes a line that is no message: a handler ran, a delegate was called.
    public func note(_ name: String) {
        recording.append(Entry(name: name, message: nil))
    }

    /// Everything recorded so far.
    public var entries: [Entry] { recording.elements }

    /// The names of everything recorded so far.
    public var names: [String] { recording.elements.map(\.name) }
}

extension MessageLog {
    /// Returns the first entry that nobody has read; waits for it if need be.
    ///
    /// A cancelled call reads nothing. Several tasks that call it share the entries.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    public func next(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Entry {
        try await recording.next(TestSite(fileID: fileID, line: line))
    }

    /// Returns the entry at an index, counted from 0 and from the beginning; waits for it if need
    /// be.
    ///
    /// It reads nothing, and may be called again.
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first.
    /// - Precondition: `index` is not negative.
    public func entry(
        at index: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Entry {
        try await recording.element(at: index, TestSite(fileID: fileID, line: line))
    }

    /// Returns everything recorded as soon as `condition` holds for it.
    ///
    /// The condition is asked now and after each entry, on this task. It reads nothing.
    ///
    /// ```swift
    /// try await log.wait { $0.count { $0.name == "Retried" } == 3 }
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` when the task is cancelled first, or what `condition`
    ///   throws.
    @discardableResult
    public func wait(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        until condition: ([Entry]) throws -> Bool
    ) async throws -> [Entry] {
        try await recording.wait(until: condition, TestSite(fileID: fileID, line: line))
    }

    /// Reads as many entries as are expected, waiting for those that have not come.
    ///
    /// It ends at the first entry with another name: it does not wait for the rest. The next call
    /// goes on behind what this one read.
    ///
    /// ```swift
    /// try await log.expect("Started", "Finished")
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` with the difference; then nothing is read.
    public func expect(
        _ names: String...,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let site = TestSite(fileID: fileID, line: line)
        try await recording.expect(names, names, site) { $0 == $1.name }
    }

    /// Throws if an entry was recorded that nobody has read.
    ///
    /// It does not wait, so it says something only after a point at which the message would have
    /// been there: after the tested call has returned, or after a later message has come.
    ///
    /// - Throws: ``TidingsTestingError`` with the names.
    public func expectNothing(fileID: StaticString = #fileID, line: UInt = #line) throws {
        try recording.expectNothing(TestSite(fileID: fileID, line: line))
    }
}
