// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Reads the lines of a playlist in order, without line endings and surrounding spaces.
struct PlaylistLineReader {
    /// The number of the last line returned, from 1.
    private(set) var number = 0
    private let bytes: [UInt8]
    private let limits: PlaylistLimits
    private var position = 0

    init(_ bytes: [UInt8], limits: PlaylistLimits) throws(PlaylistError) {
        guard bytes.count <= limits.bytes else {
            throw PlaylistError(
                .tooLarge,
                "The playlist is larger than \(limits.bytes) bytes, the limit."
            )
        }
        guard !bytes.starts(with: [0xef, 0xbb, 0xbf]) else {
            throw .invalid("the text begins with a byte order mark", at: 1)
        }
        self.bytes = bytes
        self.limits = limits
    }

    /// Returns the next nonempty line, or nil at the end.
    mutating func next() throws(PlaylistError) -> Substring? {
        while position < bytes.count {
            number += 1
            guard number <= limits.lines else {
                throw PlaylistError(
                    .tooLarge,
                    "The playlist has more than \(limits.lines) lines, the limit."
                )
            }
            let line = nextRawLine()
            guard line.count <= limits.lineBytes else {
                throw PlaylistError(
                    .tooLarge,
                    "Line \(number) of the playlist is longer than \(limits.lineBytes) bytes, the "
                        + "limit."
                )
            }
            guard !line.isEmpty else { continue }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw .invalid("the line is not valid UTF-8", at: number)
            }
            let trimmed = text[...].trimmingSpaces
            if !trimmed.isEmpty { return trimmed }
        }
        return nil
    }

    private mutating func nextRawLine() -> ArraySlice<UInt8> {
        let start = position
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        position = end + 1
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return bytes[start..<end]
    }
}
