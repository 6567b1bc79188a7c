// SPDX-License-Identifier: Apache-2.0

/// The difference between an expected and a recorded order of names.
struct OrderDifference {
    let expected: [String]
    let recorded: [String]

    /// One line for each name, with `-` before a missing name or `+` before an unexpected name.
    var lines: [String] {
        let difference = recorded.difference(from: expected)
        let missing = offsets(of: difference.removals)
        let unexpected = offsets(of: difference.insertions)
        var lines: [String] = []
        var (expectedIndex, recordedIndex) = (0, 0)
        while expectedIndex < expected.count || recordedIndex < recorded.count {
            if missing.contains(expectedIndex) {
                lines.append("- \(expected[expectedIndex])")
                expectedIndex += 1
            } else if unexpected.contains(recordedIndex) {
                lines.append("+ \(recorded[recordedIndex])")
                recordedIndex += 1
            } else {
                lines.append("  \(recorded[recordedIndex])")
                expectedIndex += 1
                recordedIndex += 1
            }
        }
        return lines
    }

    private func offsets(of changes: [CollectionDifference<String>.Change]) -> Set<Int> {
        var offsets: Set<Int> = []
        for change in changes {
            switch change {
            case .insert(let offset, _, _), .remove(let offset, _, _): offsets.insert(offset)
            }
        }
        return offsets
    }
}
