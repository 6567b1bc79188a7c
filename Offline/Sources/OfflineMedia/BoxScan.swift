// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsFiles

/// Scans the boxes of an MP4 file, each of which states a length.
package enum BoxScan {
    /// The maximum number of boxes that a scan reads.
    ///
    /// A film in fragments has thousands of boxes.
    private static let limit = 1_000_000
    /// The types of boxes at the top level of a file.
    private static let types: Set<String> = [
        "bloc", "emsg", "free", "ftyp", "mdat", "meta", "mfra", "moof", "moov", "pdin", "pnot",
        "prft", "sidx", "skip", "ssix", "styp", "udta", "uuid", "wide",
    ]

    /// Returns whether the last box ends with the file, or nil for a file of another format or a
    /// last box without a length.
    ///
    /// A file also counts as whole if other data follows the index and the content, such as an ID3
    /// tag that another program appended.
    ///
    /// - Throws: `SystemError` if the file cannot be read.
    package static func isWhole(_ path: String) throws(SystemError) -> Bool? {
        let file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW)
        let size = Int64(try file.status().st_size)
        var offset: Int64 = 0
        var found: Set<String> = []
        for number in 0..<limit where offset < size {
            let box = try Box(file, at: offset)
            if number == 0, box?.name != "ftyp" { return nil }
            guard let box else { return false }
            if !types.contains(box.name), found.isSuperset(of: ["moov", "mdat"]) { return true }
            found.insert(box.name)
            guard let length = box.length else { return nil }
            // Bytes of a box are missing if the box ends behind the file.
            guard length <= size - offset else { return false }
            offset += length
        }
        return size > 0 && offset == size ? true : nil
    }

    private struct Box {
        let name: String
        /// The length, or nil for a box that extends to the end of the file.
        let length: Int64?

        /// Reads the header of a box, or returns nil if the bytes are not a header.
        init?(_ file: FileDescriptor, at offset: Int64) throws(SystemError) {
            var header = [UInt8](repeating: 0, count: 16)
            let count = header.withUnsafeMutableBytes {
                pread(file.number, $0.baseAddress, $0.count, off_t(offset))
            }
            guard count >= 0 else { throw SystemError("read", path: file.path) }
            guard count >= 8 else { return nil }
            name = String(decoding: header[4..<8], as: UTF8.self)
            let short = Self.number(header[0..<4])
            switch short {
            case 0: length = nil
            case 1:
                let long = Self.number(header[8..<16])
                guard count == 16, long >= 16, long <= UInt64(Int64.max) else { return nil }
                length = Int64(long)
            case 8...: length = Int64(short)
            default: return nil
            }
        }

        private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
