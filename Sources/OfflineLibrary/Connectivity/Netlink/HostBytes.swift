// SPDX-License-Identifier: Apache-2.0

// Numbers in the byte order of this machine, as the kernel writes them.

extension ArraySlice<UInt8> {
    /// The number at that distance from the start; nil if it is not there whole.
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
    /// Appends a number.
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
    }
}
