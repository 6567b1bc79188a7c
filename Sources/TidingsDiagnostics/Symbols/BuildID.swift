// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The note that identifies a build of an ELF file.
///
/// The file is untrusted. A malformed file counts as a file without a note.
enum BuildID {
    private static let headLimit = 4 << 10
    private static let notesLimit = 64 << 10

    /// Returns the build ID of an ELF file, or nil if the file has none or cannot be read.
    static func ofFile(_ path: String) -> [UInt8]? {
        guard let file = Self.open(path) else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: headLimit), let table = ProgramTable(head) else {
            return nil
        }
        for segment in table.notes
        where segment.size <= notesLimit && segment.offset <= UInt64(Int64.max) {
            guard (try? file.seek(toOffset: segment.offset)) != nil,
                let notes = try? file.read(upToCount: Int(segment.size)),
                let id = find(in: notes)
            else { continue }
            return id
        }
        return nil
    }

    /// Opens a regular file, or returns nil for anything else, such as a pipe, which would block.
    private static func open(_ path: String) -> FileHandle? {
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            return nil
        }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    /// Returns the bytes as lowercase hexadecimal digits.
    static func text(of bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Finds the build ID in notes.
    ///
    /// A note consists of three numbers, a name and a content, both padded to four bytes.
    private static func find(in notes: Data) -> [UInt8]? {
        var reader = ByteReader(notes)
        while let nameSize = reader.number(UInt32.self), let size = reader.number(UInt32.self),
            let kind = reader.number(UInt32.self), let name = reader.padded(nameSize),
            let content = reader.padded(size)
        {
            if kind == 3, name.elementsEqual("GNU\0".utf8), !content.isEmpty {
                return Array(content)
            }
        }
        return nil
    }

    /// The locations of the notes in a file.
    private struct ProgramTable {
        struct Segment {
            let offset: UInt64
            let size: UInt64
        }

        private(set) var notes: [Segment] = []

        /// Parses the header of a 64-bit little-endian file.
        init?(_ head: Data) {
            var reader = ByteReader(head)
            guard let identity = reader.bytes(16),
                identity.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
                reader.bytes(16) != nil, let offset = reader.number(UInt64.self),
                reader.bytes(14) != nil, let size = reader.number(UInt16.self),
                let count = reader.number(UInt16.self), size >= 56, offset <= head.count
            else { return nil }
            for index in 0..<Int(count) {
                let start = Int(offset) + index * Int(size)
                guard start + 56 <= head.count else { return }
                var entry = ByteReader(head.dropFirst(start))
                guard let kind = entry.number(UInt32.self), entry.bytes(4) != nil,
                    let place = entry.number(UInt64.self), entry.bytes(16) != nil,
                    let length = entry.number(UInt64.self)
                else { return }
                if kind == 4 { notes.append(Segment(offset: place, size: length)) }
            }
        }
    }
}

extension ByteReader {
    fileprivate mutating func padded(_ count: UInt32) -> ArraySlice<UInt8>? {
        guard let bytes = bytes(Int(count)) else { return nil }
        // The last content may lack the padding.
        _ = self.bytes((4 - Int(count) % 4) % 4)
        return bytes
    }
}
