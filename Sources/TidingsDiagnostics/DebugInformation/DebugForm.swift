// SPDX-License-Identifier: Apache-2.0

/// The sizes of numbers that differ between units.
struct DebugSizes {
    let version: UInt16
    /// The size of an address in bytes.
    let address: Int
    /// The size of a place in another section in bytes: 4, or 8 in a very large file.
    let offset: Int
}

/// The way in which the value of an attribute is written.
struct DebugForm: Equatable {
    static let implicitConstant = DebugForm(code: 0x21)

    /// The standard's number.
    let code: UInt64

    /// Returns the size of a value, or nil if the size varies.
    func fixedSize(_ sizes: DebugSizes) -> UInt64? {
        switch code {
        case 0x19, 0x21: 0
        case 0x0B, 0x0C, 0x11, 0x25, 0x29: 1
        case 0x05, 0x12, 0x26, 0x2A: 2
        case 0x27, 0x2B: 3
        case 0x06, 0x13, 0x1C, 0x28, 0x2C: 4
        case 0x07, 0x14, 0x20, 0x24: 8
        case 0x1E: 16
        case 0x01: UInt64(sizes.address)
        // Before version 3, a reference to another unit had the size of an address.
        case 0x10: UInt64(sizes.version < 3 ? sizes.address : sizes.offset)
        case 0x0E, 0x17, 0x1D, 0x1F, 0x1F20, 0x1F21: UInt64(sizes.offset)
        default: nil
        }
    }

    func skip(_ cursor: inout DebugCursor, _ sizes: DebugSizes) {
        if let size = fixedSize(sizes) {
            cursor.skip(size)
        } else {
            _ = value(&cursor, sizes)
        }
    }

    /// Returns a number, a place in another section, or the position of a string.
    ///
    /// An unknown form moves the cursor to the end, because the size of the value is unknown.
    func value(_ cursor: inout DebugCursor, _ sizes: DebugSizes) -> UInt64 {
        switch code {
        case 0x0D: return UInt64(bitPattern: cursor.signedVariable())
        case 0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23, 0x1F01, 0x1F02: return cursor.variable()
        case 0x08:
            let position = UInt64(cursor.position)
            cursor.skipText()
            return position
        case 0x0A: cursor.skip(UInt64(cursor.number(UInt8.self)))
        case 0x03: cursor.skip(UInt64(cursor.number(UInt16.self)))
        case 0x04: cursor.skip(UInt64(cursor.number(UInt32.self)))
        case 0x09, 0x18: cursor.skip(cursor.variable())
        case 0x19: return 1
        case 0x1E: cursor.skip(16)
        default:
            guard let size = fixedSize(sizes) else {
                cursor.skip(.max)
                return 0
            }
            return size == 0 || size > 8 ? 0 : cursor.number(ofSize: Int(size))
        }
        return 0
    }

    /// Whether the value is an index into the unit's table of addresses.
    var isAddressIndex: Bool { code == 0x1B || code == 0x1F01 || (0x29...0x2C).contains(code) }
    /// Whether the value is an index into the unit's table of strings.
    var isTextIndex: Bool { code == 0x1A || code == 0x1F02 || (0x25...0x28).contains(code) }
    /// Whether the value is an address.
    ///
    /// Otherwise, the end of a function is given as a distance from the start.
    var isAddress: Bool { code == 0x01 || isAddressIndex }
    /// Whether the value is a place relative to the start of the unit.
    var isWithinUnit: Bool { (0x11...0x15).contains(code) }
}
