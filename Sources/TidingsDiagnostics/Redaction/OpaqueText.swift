// SPDX-License-Identifier: Apache-2.0

/// Detects strings that look like keys rather than words.
///
/// Such strings are long, with frequent changes between kinds of characters.
enum OpaqueText {
    static let shortest = 24

    /// Whether a run of letters, digits, `-` and `_` looks like a key.
    static func isOpaque(_ run: ArraySlice<UInt8>) -> Bool {
        guard run.count >= shortest else { return false }
        var switches = 0
        var digitSwitches = 0
        var previous: Kind?
        for byte in run {
            let kind = Kind(byte)
            if let kind, let previous, kind != previous {
                switches += 1
                if kind == .digit || previous == .digit { digitSwitches += 1 }
            }
            previous = kind
        }
        return digitSwitches >= 3 || switches * 10 >= run.count * 3
    }

    /// Whether a run has the format of a hash in version control.
    static func isDigest(_ run: ArraySlice<UInt8>) -> Bool {
        (run.count == 40 || run.count == 64)
            && run.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
    }

    private enum Kind {
        case upper
        case lower
        case digit

        init?(_ byte: UInt8) {
            if byte.isASCIIDigit {
                self = .digit
            } else if byte.isASCIIUppercase {
                self = .upper
            } else if byte.isASCIILowercase {
                self = .lower
            } else {
                return nil
            }
        }
    }
}
