// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The name and the checksum of the file that contains the symbols of a stripped file.
struct DebugLink: Equatable {
    let name: String
    let checksum: UInt32

    /// Reads the link of a file, or returns nil without a link to a plain file name.
    init?(_ file: ProgramFile) {
        let section = file[".gnu_debuglink"]
        var cursor = DebugCursor(section)
        name = cursor.text()
        guard !cursor.isBeyondEnd, !name.isEmpty, !name.contains("/"), name != ".", name != ".."
        else { return nil }
        // The number is aligned.
        cursor.skip(UInt64((4 - cursor.position % 4) % 4))
        checksum = cursor.number(UInt32.self)
        guard !cursor.isBeyondEnd else { return nil }
    }

    /// The cyclic redundancy check of each byte, with the polynomial 0x04C11DB7, reflected.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
        }
    }

    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            ~bytes.reduce(~0) { value, byte in
                table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8
            }
        }
    }
}
#endif
