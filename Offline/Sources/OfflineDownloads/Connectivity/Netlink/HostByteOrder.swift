// SPDX-License-Identifier: Apache-2.0

// Netlink messages hold numbers in the byte order of the machine.

extension ArraySlice<UInt8> {
    /// Returns the number at an offset from the start, or nil if the number extends beyond the end.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type,
        at offset: Int
    ) -> Number? {
        guard offset >= 0, offset <= count, count - offset >= MemoryLayout<Number>.size else {
            return nil
        }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
}

extension [UInt8] {
    /// Appends the bytes of a number.
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
    }
}
