// SPDX-License-Identifier: Apache-2.0

/// The range that a `Range` header requests from a file of known size (RFC 9110, section 14).
enum ByteRangeHeader: Equatable, Sendable {
    /// The whole file, because the header is absent, malformed or has more than one range.
    case whole
    case part(offset: Int64, length: Int64)
    /// The range starts at or after the end of the file.
    case unsatisfiable

    /// Parses the header for a file of `size` bytes.
    static func parse(_ text: String?, size: Int64) -> ByteRangeHeader {
        guard let text else { return .whole }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmingSpaces.lowercased() == "bytes" else {
            return .whole
        }
        let range = parts[1].trimmingSpaces
        let ends = range.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, !range.contains(",") else { return .whole }
        switch (digits(ends[0]), digits(ends[1])) {
        case (.number(let first), .number(let last)) where first <= last:
            return part(from: first, through: last, size: size)
        case (.number(let first), .empty):
            return part(from: first, through: .max, size: size)
        case (.empty, .number(let count)):
            guard count > 0, size > 0 else { return .unsatisfiable }
            return part(from: max(0, size - count), through: .max, size: size)
        default:
            return .whole
        }
    }

    private static func part(from first: Int64, through last: Int64, size: Int64) -> Self {
        guard first < size else { return .unsatisfiable }
        return .part(offset: first, length: min(last, size - 1) - first + 1)
    }

    private enum Digits {
        case empty
        case number(Int64)
        case other
    }

    /// Parses ASCII digits.
    ///
    /// A number that overflows becomes `Int64.max`.
    private static func digits(_ text: Substring) -> Digits {
        if text.isEmpty { return .empty }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .other }
        return .number(Int64(text) ?? .max)
    }
}
