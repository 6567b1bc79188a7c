// SPDX-License-Identifier: Apache-2.0

/// Reads numbers and bytes in sequence, never beyond the end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) {
        rest = Array(bytes)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns a little-endian number, or nil if too few bytes are left.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        guard let bytes = bytes(MemoryLayout<Number>.size) else { return nil }
        // All supported machines are little-endian.
        return bytes.reversed().reduce(Number.zero) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Returns `count` bytes, or nil without consuming any if too few are left.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Returns all remaining numbers.
    mutating func numbers<Number: FixedWidthInteger>(_ type: Number.Type) -> [Number] {
        var numbers: [Number] = []
        while let number = number(type) { numbers.append(number) }
        return numbers
    }
}
