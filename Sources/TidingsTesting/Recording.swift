// SPDX-License-Identifier: Apache-2.0
import Tidings

/// What was recorded, in order, with one place up to which it was read.
///
/// The handlers of a recorder write here; they must not hold the recorder.
final class Recording<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var read = 0

        /// Reads the first element that nobody has read; nil and its index if it is not there.
        mutating func next() -> (element: Element?, index: Int) {
            guard read < elements.count else { return (nil, read) }
            defer { read += 1 }
            return (elements[read], read)
        }
    }

    private let state = Lock(State())
    private let level = Level()
    private let name: @Sendable (Element) -> String

    /// - Parameter name: What an element is called in a failure.
    init(name: @escaping @Sendable (Element) -> String) {
        self.name = name
    }

    var elements: [Element] { state.withLock { $0.elements } }

    func append(_ element: Element) {
        state.withLock { $0.elements.append(element) }
        level.add(1)
    }

    /// Returns the first element that nobody has read, when it is there.
    func next(_ site: TestSite) async throws -> Element {
        while true {
            let (element, index) = state.withLock { $0.next() }
            if let element { return element }
            try await wait(for: index + 1, site) { "the next message\n\(recorded)" }
        }
    }

    /// Returns the element at an index, when it is there.
    func element(at index: Int, _ site: TestSite) async throws -> Element {
        require(index >= 0, "Messages are counted from 0: there is none at \(index).")
        return try await first(index + 1, site)[index]
    }

    /// Returns the first elements, when there are as many.
    func first(_ count: Int, _ site: TestSite) async throws -> [Element] {
        require(count >= 0, "A number of messages is not negative: \(count).")
        try await wait(for: count, site) { "\(count) messages\n\(recorded)" }
        return Array(elements.prefix(count))
    }

    /// Returns all elements as soon as `condition` holds for them.
    func wait(
        until condition: ([Element]) throws -> Bool,
        _ site: TestSite
    ) async throws -> [Element] {
        while true {
            let elements = elements
            if try condition(elements) { return elements }
            try await wait(for: elements.count + 1, site) {
                "messages that meet a condition\n\(recorded)"
            }
        }
    }

    /// Reads as many elements as are expected; throws at the first that is another one.
    func expect<Expected>(
        _ expected: [Expected],
        _ names: [String],
        _ site: TestSite,
        _ isExpected: (Expected, Element) -> Bool
    ) async throws {
        let start = state.withLock { $0.read }
        for (offset, one) in expected.enumerated() {
            let index = start + offset
            try await wait(for: index + 1, site) {
                "\(names[offset])\n\(difference(from: names, after: start))"
            }
            guard isExpected(one, elements[index]) else {
                throw TidingsTestingError(
                    .otherOrder,
                    "Message \(index) is another one\n\(difference(from: names, after: start))",
                    at: site
                )
            }
        }
        state.withLock { $0.read = start + expected.count }
    }

    /// Throws unless everything was read.
    func expectNothing(_ site: TestSite) throws {
        let (read, count) = state.withLock { ($0.read, $0.elements.count) }
        guard read < count else { return }
        throw TidingsTestingError(
            .unexpectedMessage,
            "No further message was expected\n\(difference(from: [], after: read))",
            at: site
        )
    }

    /// Waits until there are `count` elements.
    private func wait(
        for count: Int,
        _ site: TestSite,
        _ what: () -> String
    ) async throws {
        do {
            try await level.wait(for: count)
        } catch {
            let text = "The task was cancelled while it waited for \(what())"
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
