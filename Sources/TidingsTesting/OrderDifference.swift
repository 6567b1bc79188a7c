// SPDX-License-Identifier: Apache-2.0

/// How an order that was recorded differs from the one that was expected.
struct OrderDifference {
    let expected: [String]
    let recorded: [String]

    /// One line for each name: `-` before what was expected and did not come, `+` before what came
    /// unexpectedly.
    var lines: [String] {
        let difference = recorded.difference(from: expected)
        let missing = offsets(of: difference.removals)
        let surplus = offsets(of: difference.insertions)
        var lines: [String] = []
        var (wanted, came) = (expected.indices.lowerBound, recorded.indices.lowerBound)
        while wanted < expected.count || came < recorded.count {
            if missing.contains(wanted) {
                lines.append("- \(expected[wanted])")
                wanted += 1
            } else if surplus.contains(came) {
                lines.append("+ \(recorded[came])")
                came += 1
            } else {
                lines.append("  \(recorded[came])")
                wanted += 1
                came += 1
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
