// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Measures rows, prints each row immediately and collects the rows for the result file.
package struct BenchmarkRun {
    /// The string that the title of a measured row must contain, or nil for all rows.
    private let only: String?
    /// Whether subjects run for a profiler instead of being measured.
    private let isProfiled: Bool
    /// The number of rows so far with a matching title.
    package private(set) var matchCount = 0
    /// The measured rows.
    package private(set) var rows: [Row] = []

    /// Creates a run, limited to rows with the string `only` in the title.
    package init(only: String?, isProfiled: Bool) {
        self.only = only
        self.isProfiled = isProfiled
    }

    /// Adds the ratio of two subjects and the time of each.
    ///
    /// - Parameters:
    ///   - title: The title of the ratio, usually "SUBJECT / REFERENCE".
    ///   - gate: The bound of the ratio.
    ///   - limit: The bound of the subject's time, in nanoseconds.
    ///   - subjects: Returns the subject and the reference.
    package mutating func compare(
        _ title: String,
        _ gate: Gate? = nil,
        subject limit: Gate? = nil,
        _ subjects: () throws -> (Subject, Subject)
    ) rethrows {
        guard matches(title) else { return }
        let (subject, reference) = try subjects()
        if isProfiled {
            subject.run(for: .seconds(1))
            return
        }
        let comparison = Comparison(subject, with: reference)
        addOnce(Row(subject.name, comparison.subject, unit: "ns", gate: limit))
        addOnce(Row(reference.name, comparison.reference, unit: "ns"))
        add(Row(title, comparison.ratio, unit: "x", gate: gate))
    }

    /// Adds a value that is not the ratio of two subjects.
    package mutating func measure(
        _ title: String,
        unit: String,
        _ gate: Gate? = nil,
        _ value: () throws -> Double
    ) rethrows {
        guard matches(title) else { return }
        let row = Row(title, try value(), unit: unit, gate: gate)
        if !isProfiled { add(row) }
    }

    /// Whether a row of this title is measured.
    package func measures(_ title: String) -> Bool { only.map { title.contains($0) } ?? true }

    /// Writes the rows to a JSON file.
    package func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(rows).write(to: URL(fileURLWithPath: path))
    }

    private mutating func matches(_ title: String) -> Bool {
        guard measures(title) else { return false }
        matchCount += 1
        return true
    }

    /// Adds a row unless an earlier comparison has added one for the same subject.
    private mutating func addOnce(_ row: Row) {
        if !rows.contains(where: { $0.name == row.name }) { add(row) }
    }

    private mutating func add(_ row: Row) {
        rows.append(row)
        let verdict = row.pass == false ? "MISSED " : ""
        let gate = row.gate.map { " (\(verdict)\($0))" } ?? ""
        print(String(format: "%10.2f %-5@", row.value, row.unit), "\(row.name)\(gate)")
        fflush(nil)
    }
}
