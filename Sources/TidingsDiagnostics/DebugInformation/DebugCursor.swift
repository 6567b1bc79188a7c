// SPDX-License-Identifier: Apache-2.0

/// Reads the numbers and strings of debug information in sequence.
///
/// The file is untrusted. A read beyond the end returns zero and leaves the cursor at the end, so
/// that each loop over the contents terminates.
struct DebugCursor {
    let bytes: UnsafeRawBufferPointer
    private(set) var position: Int
    let end: Int
    /// Whether a read went beyond the end.
    private(set) var isBeyondEnd = false

    /// Reads a part of some bytes, or nothing if the part is not within the bytes.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        let isValid = start >= 0 && start <= end && end <= bytes.count
        self.bytes = bytes
        position = isValid ? start : 0
        self.end = isValid ? end : 0
    }

    init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) {
        self.init(bytes, from: start, to: bytes.count)
    }

    var isAtEnd: Bool { position >= end }

    @inline(__always)
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        let size = MemoryLayout<Number>.size
        guard size <= end - position else {
            position = end
            isBeyondEnd = true
            return 0
        }
        position += size
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position - size, as: type))
    }

    /// Returns a little-endian number of 1 to 8 bytes.
    mutating func number(ofSize size: Int) -> UInt64 {
        switch size {
        case 1: UInt64(number(UInt8.self))
        case 2: UInt64(number(UInt16.self))
        case 3: UInt64(number(UInt16.self)) | UInt64(number(UInt8.self)) << 16
        case 4: UInt64(number(UInt32.self))
        default: number(UInt64.self)
        }
    }

    /// Returns an unsigned number of variable length without the bits beyond 64.
    @inline(__always)
    mutating func variable() -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < end {
            let byte = bytes[position]
            position += 1
            if shift < 64 { result |= UInt64(byte & 0x7F) << shift }
            if byte < 0x80 { return result }
            shift += 7
        }
        isBeyondEnd = true
        return 0
    }

    /// Returns a signed number of variable length.
    @inline(__always)
    mutating func signedVariable() -> Int64 {
        var result: Int64 = 0
        var shift: Int64 = 0
        while position < end {
            let byte = bytes[position]
            position += 1
            if shift < 64 { result |= Int64(byte & 0x7F) << shift }
            shift += 7
            if byte < 0x80 {
                return shift < 64 && byte & 0x40 != 0 ? result | -(1 << shift) : result
            }
        }
        isBeyondEnd = true
        return 0
    }

    @inline(__always)
    mutating func skip(_ count: UInt64) {
        guard count <= UInt64(end - position) else {
            position = end
            isBeyondEnd = true
            return
        }
        position += Int(count)
    }

    mutating func skipText() {
        while position < end {
            position += 1
            if bytes[position - 1] == 0 { return }
        }
        isBeyondEnd = true
    }

    /// Returns the string up to the next zero byte.
    mutating func text() -> String {
        let start = position
        skipText()
        let count = max(0, position - start - 1)
        return String(decoding: bytes[start..<start + count], as: UTF8.self)
    }
}
