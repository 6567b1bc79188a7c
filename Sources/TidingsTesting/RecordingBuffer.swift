// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Recorded elements in order, with one read position.
///
/// A test reads the elements by the methods of ``Recording``.
///
/// A recorder's handlers append to the buffer, because a handler must not retain the recorder.
public final class RecordingBuffer<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var readCount = 0

        /// Reads the first unread element, or returns nil and the index of the missing element.
        mutating func next() -> (element: Element?, index: Int) {
            guard readCount < elements.count else { return (nil, readCount) }
            defer { readCount += 1 }
            return (elements[readCount], readCount)
        }
    }

    private let state = Lock(State())
    private let appended = WaitableCounter()
    private let name: @Sendable (Element) -> String

    /// Creates a buffer without elements.
    ///
    /// - Parameter name: Returns the name of an element in an error message.
    init(name: @escaping @Sendable (Element) -> String) {
        self.name = name
    }

    var elements: [Element] { state.withLock { $0.elements } }

    func append(_ element: Element) {
        state.withLock { $0.elements.append(element) }
        appended.add(1)
    }

    /// Returns the first unread element and marks the element as read, after a wait if necessary.
    func next(_ site: CallSite) async throws -> Element {
        while true {
            let (element, index) = state.withLock { $0.next() }
            if let element { return element }
            try await wait(for: index + 1, site) { "the next message\n\(recorded)" }
        }
    }

    /// Returns the element at an index, after a wait if necessary.
    func element(at index: Int, _ site: CallSite) async throws -> Element {
        require(index >= 0, "The index \(index) is negative. Count messages from 0.")
        return try await first(index + 1, site)[index]
    }

    /// Returns the first `count` elements, after a wait if necessary.
    func first(_ count: Int, _ site: CallSite) async throws -> [Element] {
        require(count >= 0, "The count \(count) is negative. Pass 0 or more.")
        try await wait(for: count, site) { "\(count) messages\n\(recorded)" }
        return Array(elements.prefix(count))
    }

    /// Returns all elements as soon as they satisfy `condition`.
    func wait(
        until condition: ([Element]) throws -> Bool,
        _ site: CallSite
    ) async throws -> [Element] {
        while true {
            let elements = elements
            if try condition(elements) { return elements }
            try await wait(for: elements.count + 1, site) {
                "messages that satisfy a condition\n\(recorded)"
            }
        }
    }

    /// Reads the expected elements, and throws at the first different element.
    func expect<Expected>(
        _ expected: [Expected],
        named names: [String],
        _ site: CallSite,
        by isExpected: (Expected, Element) -> Bool
    ) async throws {
        let start = state.withLock { $0.readCount }
        for (offset, one) in expected.enumerated() {
            let index = start + offset
            try await wait(for: index + 1, site) {
                "\(names[offset])\n\(difference(from: names, after: start))"
            }
            guard isExpected(one, elements[index]) else {
                throw TidingsTestingError(
                    .otherOrder,
                    "Message \(index) is different\n\(difference(from: names, after: start))",
                    at: site
                )
            }
        }
        state.withLock { $0.readCount = start + expected.count }
    }

    /// Throws if there is an unread element.
    func expectNothing(_ site: CallSite) throws {
        let (readCount, count) = state.withLock { ($0.readCount, $0.elements.count) }
        guard readCount < count else { return }
        throw TidingsTestingError(
            .unexpectedMessage,
            "No further message was expected\n\(difference(from: [], after: readCount))",
            at: site
        )
    }

    /// Waits until there are `count` elements.
    private func wait(
        for count: Int,
        _ site: CallSite,
        _ missing: () -> String
    ) async throws {
        do {
            try await appended.wait(for: count)
        } catch {
            let text = "The task was cancelled while it waited for \(missing())"
            throw TidingsTestingError(.cancelled, text, cause: error, at: site)
        }
    }

    private var recorded: String {
        let names = elements.map(name)
        return "Recorded: " + (names.isEmpty ? "nothing" : names.joined(separator: ", "))
    }

    private func difference(from expected: [String], after start: Int) -> String {
        let recorded = elements.dropFirst(start).map(name)
        let lines = OrderDifference(expected: expected, recorded: recorded).lines
        return (["(- expected, + recorded)"] + lines).joined(separator: "\n")
    }
}
