// SPDX-License-Identifier: Apache-2.0

/// One row of the results.
package struct Row: Encodable {
    let name: String
    let value: Double
    let unit: String
    /// The bound as a string, or nil for a value without a bound.
    let gate: String?
    /// Whether the value is within the bound, or nil without a bound.
    let pass: Bool?

    init(_ name: String, _ value: Double, unit: String, gate: Gate? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.gate = gate?.text
        pass = gate?.holds(for: value)
    }

    private enum Key: String, CodingKey {
        case name, value, unit, gate, pass
    }

    /// Encodes all five keys, with null for nil values, because readers of the file expect every
    /// key.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encode(gate, forKey: .gate)
        try container.encode(pass, forKey: .pass)
    }
}

/// The bound of a value.
package enum Gate {
    /// The largest allowed value.
    case atMost(Double)
    /// The smallest allowed value.
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
