// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Measures rows, prints each as it comes and keeps them for the file.
package struct Bench {
    /// Rows without this in their title are not measured; nil for all.
    private let only: String?
    /// Whether subjects are run for a profiler instead of measured.
    private let isProfiled: Bool
    /// How many rows were asked for so far.
    package private(set) var wanted = 0
    package private(set) var rows: [Row] = []

    package init(only: String?, isProfiled: Bool) {
        self.only = only
        self.isProfiled = isProfiled
    }

    /// Adds the ratio of two subjects, and the time of each beside it.
    ///
    /// - Parameters:
    ///   - title: The name of the ratio, "SUBJECT / REFERENCE" unless that would not be English.
    ///   - gate: The bound of the ratio.
    ///   - subjects: Makes the subject and what it is compared with.
    package mutating func compare(
        _ title: String,
        _ gate: Gate? = nil,
        _ subjects: () throws -> (Subject, Subject)
    ) rethrows {
        guard isWanted(title) else { return }
        let (subject, reference) = try subjects()
        if isProfiled {
            subject.run(for: .seconds(1))
            return
        }
        let comparison = Comparison(subject, with: reference)
        addOnce(Row(subject.name, comparison.subject, unit: "ns"))
        addOnce(Row(reference.name, comparison.reference, unit: "ns"))
        add(Row(title, comparison.ratio, unit: "x", gate: gate))
    }

    /// Adds a figure that is measured by other means than time.
    package mutating func measure(
        _ title: String,
        unit: String,
        _ gate: Gate? = nil,
        _ value: () throws -> Double
    ) rethrows {
        guard isWanted(title) else { return }
        let row = Row(title, try value(), unit: unit, gate: gate)
        if !isProfiled { add(row) }
    }

    package func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(rows).write(to: URL(fileURLWithPath: path))
    }

    private mutating func isWanted(_ title: String) -> Bool {
        if let only, !title.contains(only) { return false }
        wanted += 1
        return true
    }

    /// A subject of several comparisons is listed with its first.
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
