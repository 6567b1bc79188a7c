// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsFiles

/// The lines of a text, read piece by piece.
package struct DocumentLines {
    private static let pieceSize = 256 << 10

    private let read: () throws -> Data
    private var buffer = Data()
    private var isAtEnd = false

    /// Reads the lines of an open file, starting at the current position.
    package init(_ file: FileDescriptor) {
        read = {
            var piece = [UInt8](repeating: 0, count: Self.pieceSize)
            while true {
                let count = Foundation.read(file.number, &piece, piece.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw SystemError("read", path: file.path) }
                return Data(piece.prefix(count))
            }
        }
    }

    /// Reads the lines of a text in memory.
    package init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        read = {
            let piece = rest.prefix(Self.pieceSize)
            rest = rest.dropFirst(piece.count)
            return Data(piece)
        }
    }

    /// Returns the next line without the line break, or nil after the last line.
    ///
    /// - Parameter limit: The maximum size of a line in bytes. For a longer line, the result has
    ///   more bytes than the limit.
    /// - Returns: The line.
    /// - Throws: `SystemError`.
    package mutating func next(limit: Int) throws -> Data? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = Data(buffer[buffer.startIndex..<end])
                buffer = buffer[buffer.index(after: end)...]
                return line
            }
            if buffer.count > limit { return Data(buffer) }
            guard !isAtEnd else {
                defer { buffer = Data() }
                return buffer.isEmpty ? nil : Data(buffer)
            }
            let piece = try read()
            isAtEnd = piece.isEmpty
            buffer = Data(buffer) + piece
        }
    }
}
