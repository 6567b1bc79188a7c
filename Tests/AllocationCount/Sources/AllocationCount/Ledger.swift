// SPDX-License-Identifier: Apache-2.0
import CTidingsAllocations
import Foundation

/// What was counted, and whether it is what it should be.
///
/// The rows have the form of those that benchmarks write.
struct Ledger {
    /// How often a case is repeated: one allocation in a thousand calls shows.
    static let calls = 1_000

    private struct Row: Encodable {
        let name: String
        let value: Int
        let unit: String
        let gate: String
        let pass: Bool
    }

    private var rows: [Row] = []
    /// The counts that are not what they should be.
    private(set) var mistakes: [String] = []

    /// Counts what all threads allocate in a thousand calls of `body`.
    ///
    /// - Parameters:
    ///   - name: What the case does.
    ///   - expected: How many allocations each call makes.
    ///   - tolerated: How many more are told as a missed gate, but are no mistake.
    ///   - body: One call; it is made a few times before counting begins.
    mutating func count(
        _ name: String,
        expecting expected: Int = 0,
        tolerating tolerated: Int = 0,
        _ body: () -> Void
    ) {
        for _ in 0..<3 { body() }
        let before = tidings_allocations_of_process().allocations
        for _ in 0..<Self.calls { body() }
        let after = tidings_allocations_of_process().allocations
        add(
            "allocations: \(name)",
            after - before,
            "in 1,000",
            expecting: expected * Self.calls,
            tolerating: tolerated * Self.calls
        )
    }

    /// Counts the blocks that a thousand calls of `body` leave behind.
    ///
    /// - Parameters:
    ///   - name: What the case does.
    ///   - expected: The fewest and the most; what is freed later than it ends makes a range.
    ///   - body: One call; a thousand are made before counting begins.
    mutating func countLeft(_ name: String, in expected: ClosedRange<Int>, _ body: () -> Void) {
        for _ in 0..<Self.calls { body() }
        let before = tidings_allocations_of_process().live
        for _ in 0..<Self.calls { body() }
        let left = tidings_allocations_of_process().live - before
        let gate = "in \(expected.lowerBound)...\(expected.upperBound)"
        let pass = expected.contains(left)
        let name = "blocks left: \(name)"
        add(Row(name: name, value: left, unit: "blocks", gate: gate, pass: pass), isRight: pass)
    }

    /// Adds a figure that was counted elsewhere.
    mutating func add(
        _ name: String,
        _ value: Int,
        _ unit: String,
        expecting expected: Int,
        tolerating tolerated: Int = 0
    ) {
        let pass = value == expected
        let row = Row(name: name, value: value, unit: unit, gate: "== \(expected)", pass: pass)
        add(row, isRight: (expected...expected + tolerated).contains(value))
    }

    private mutating func add(_ row: Row, isRight: Bool) {
        rows.append(row)
        if !isRight { mistakes.append("\(row.name): \(row.value) \(row.unit), not \(row.gate)") }
    }

    /// The rows as JSON.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(rows)
    }
}

/// What the calling thread alone allocates in `body`.
func allocationsOfThread(_ body: () -> Void) -> Int {
    let before = tidings_allocations_of_thread().allocations
    body()
    return tidings_allocations_of_thread().allocations - before
}
