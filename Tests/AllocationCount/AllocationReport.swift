// SPDX-License-Identifier: Apache-2.0
import CTidingsAllocations
import Foundation

/// The counts and whether they are as expected.
///
/// The rows have the format of the benchmark results.
struct AllocationReport {
    /// The repetitions of a case, so that one allocation in a thousand calls is detected.
    static let calls = 1_000

    private struct Row: Encodable {
        let name: String
        let value: Int
        let unit: String
        let gate: String
        let pass: Bool
    }

    private var rows: [Row] = []
    /// The counts that differ from the expected ones.
    private(set) var failures: [String] = []

    /// Counts the allocations of all threads in a thousand calls of `body`.
    ///
    /// - Parameters:
    ///   - name: The name of the case.
    ///   - expected: The allocations of each call.
    ///   - tolerated: The additional allocations that miss the gate but do not fail the program.
    ///   - body: One call. The closure is also called a few times before the count starts.
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
    ///   - name: The name of the case.
    ///   - expected: The smallest and the largest count, which differ if blocks are freed later.
    ///   - body: One call. The closure is also called a thousand times before the count starts.
    mutating func countLeft(_ name: String, in expected: ClosedRange<Int>, _ body: () -> Void) {
        for _ in 0..<Self.calls { body() }
        let before = tidings_allocations_of_process().live
        for _ in 0..<Self.calls { body() }
        let left = tidings_allocations_of_process().live - before
        let gate = "in \(expected.lowerBound)...\(expected.upperBound)"
        let pass = expected.contains(left)
        let name = "blocks left: \(name)"
        add(Row(name: name, value: left, unit: "blocks", gate: gate, pass: pass), isExpected: pass)
    }

    /// Adds a count that was made elsewhere.
    mutating func add(
        _ name: String,
        _ value: Int,
        _ unit: String,
        expecting expected: Int,
        tolerating tolerated: Int = 0
    ) {
        let pass = value == expected
        let row = Row(name: name, value: value, unit: unit, gate: "== \(expected)", pass: pass)
        add(row, isExpected: (expected...expected + tolerated).contains(value))
    }

    private mutating func add(_ row: Row, isExpected: Bool) {
        rows.append(row)
        if !isExpected { failures.append("\(row.name): \(row.value) \(row.unit), not \(row.gate)") }
    }

    /// Encodes the rows as JSON.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(rows)
    }
}

/// Returns the number of allocations of the calling thread in `body`.
func allocationsOfThread(_ body: () -> Void) -> Int {
    let before = tidings_allocations_of_thread().allocations
    body()
    return tidings_allocations_of_thread().allocations - before
}
