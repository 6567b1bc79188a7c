// SPDX-License-Identifier: Apache-2.0

/// One row of the result.
struct Row: Encodable {
    let name: String
    let value: Double
    let unit: String
    /// The bound as text; null for a figure that only informs.
    let gate: String?
    /// Whether the bound holds; null without one.
    let pass: Bool?

    private enum Key: String, CodingKey {
        case name, value, unit, gate, pass
    }

    /// Writes every key, null included: readers of the file expect all five.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encode(gate, forKey: .gate)
        try container.encode(pass, forKey: .pass)
    }
}

/// A bound that a ratio must keep.
enum Gate {
    case atMost(Double)
    case atLeast(Double)

    func holds(for value: Double) -> Bool {
        switch self {
        case .atMost(let bound): value <= bound
        case .atLeast(let bound): value >= bound
        }
    }

    var text: String {
        switch self {
        case .atMost(let bound): "<= \(bound)"
        case .atLeast(let bound): ">= \(bound)"
        }
    }
}

/// Something to measure, done `count` times by a call.
struct Subject {
    let name: String
    let count: Int
    let body: (Int) -> Void

    /// Nanoseconds for each of `count` runs.
    func nanoseconds() -> Double {
        let clock = ContinuousClock()
        let time = clock.measure { body(count) }
        let (seconds, attoseconds) = time.components
        return (Double(seconds) * 1e9 + Double(attoseconds) * 1e-9) / Double(count)
    }
}

/// Measures two subjects in turns and returns the median of the ratios of neighbouring turns.
///
/// Other load on the machine hits both halves of a pair alike, so ratios hold still where times
/// do not.
func compare(_ subject: Subject, with reference: Subject) -> Comparison {
    _ = (subject.nanoseconds(), reference.nanoseconds())
    let pairs = (0..<11).map { _ in (subject.nanoseconds(), reference.nanoseconds()) }
    return Comparison(
        subject: median(pairs.map(\.0)),
        reference: median(pairs.map(\.1)),
        ratio: median(pairs.map { $0.0 / $0.1 })
    )
}

struct Comparison {
    let subject: Double
    let reference: Double
    /// Subject divided by reference.
    let ratio: Double
}

private func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}
