// SPDX-License-Identifier: Apache-2.0

/// Reads numbers and bytes one after the other and never beyond the end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) {
        rest = Array(bytes)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns a number in the order of the machine; nil when so many bytes are not left.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        guard let bytes = bytes(MemoryLayout<Number>.size) else { return nil }
        // The machines that this runs on all begin with the lowest byte.
        return bytes.reversed().reduce(Number.zero) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Returns so many bytes; nil when they are not left, and then none is taken.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Returns all numbers that are left.
    mutating func numbers<Number: FixedWidthInteger>(_ type: Number.Type) -> [Number] {
        var numbers: [Number] = []
        while let number = number(type) { numbers.append(number) }
        return numbers
    }
}
