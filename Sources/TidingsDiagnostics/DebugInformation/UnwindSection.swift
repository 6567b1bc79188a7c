// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// A section of a file's unwind tables, with the address at which the file expects it.
struct UnwindSection {
    let bytes: UnsafeRawBufferPointer
    let address: UInt64

    init(_ file: ProgramFile, _ name: String) {
        bytes = file[name]
        address = file.address(of: name)
    }

    /// Reads a pointer.
    ///
    /// - Parameters:
    ///   - cursor: The position of the pointer in this section.
    ///   - encoding: The format in the lower half, and the base in the upper half.
    /// - Returns: The address to which the pointer points.
    /// - Throws: `.unsupported` for an encoding that compilers do not use.
    func pointer(
        _ cursor: inout DebugCursor,
        _ encoding: UInt8
    ) throws(UnwindFault) -> UInt64 {
        let place = address &+ UInt64(cursor.position)
        let value = try Self.number(&cursor, encoding)
        switch encoding >> 4 {
        case 0: return value
        case 1: return value &+ place
        // The value is relative to this section. Only the index uses this base.
        case 3: return value &+ address
        default: throw .unsupported
        }
    }

    /// Reads the number of a pointer, without its base.
    static func number(
        _ cursor: inout DebugCursor,
        _ encoding: UInt8
    ) throws(UnwindFault) -> UInt64 {
        switch encoding & 0xF {
        case 0, 4, 12: cursor.number(UInt64.self)
        case 1: cursor.variable()
        case 2: UInt64(cursor.number(UInt16.self))
        case 3: UInt64(cursor.number(UInt32.self))
        case 9: UInt64(bitPattern: cursor.signedVariable())
        case 10: UInt64(bitPattern: Int64(cursor.number(Int16.self)))
        case 11: UInt64(bitPattern: Int64(cursor.number(Int32.self)))
        default: throw .unsupported
        }
    }
}
#endif
