// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import Tidings

/// Reads the lines of a playlist in order, without line endings and surrounding spaces.
struct PlaylistLineReader {
    /// The number of the last line returned, from 1.
    private(set) var number = 0
    /// Whether the playlist ends in the last returned line and this line is not an address.
    private(set) var endsInTag = false
    private let bytes: [UInt8]
    private let limits: PlaylistLimits
    private var position: Int

    init(_ bytes: [UInt8], limits: PlaylistLimits) throws(PlaylistError) {
        guard bytes.count <= limits.bytes else {
            throw PlaylistError(
                .tooLarge,
                "The playlist is larger than \(limits.bytes) bytes, the limit."
            )
        }
        self.bytes = bytes
        // The format forbids a byte order mark, but editors write one.
        position = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
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
            endsInTag = position > bytes.count && line.first == UInt8(ascii: "#")
            guard line.count <= limits.lineBytes else {
                throw PlaylistError(
                    .tooLarge,
                    "Line \(number) of the playlist is longer than \(limits.lineBytes) bytes, the "
                        + "limit."
                )
            }
            guard !line.isEmpty else { continue }
            let trimmed = try text(line)[...].trimmingSpaces
            if !trimmed.isEmpty { return trimmed }
        }
        return nil
    }

    /// Returns a line as a string.
    ///
    /// Titles and comments in another encoding are repaired.
    private func text(_ line: ArraySlice<UInt8>) throws(PlaylistError) -> String {
        if let text = String(validating: line, as: UTF8.self) { return text }
        guard line.first == UInt8(ascii: "#"), !line.starts(with: "#EXT-X-".utf8) else {
            throw .invalid("the line is not valid UTF-8", at: number)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the bytes up to a line feed, a carriage return, or both together.
    private mutating func nextRawLine() -> ArraySlice<UInt8> {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let start = position
        var end = start
        while end < bytes.count, bytes[end] != lineFeed, bytes[end] != carriageReturn { end += 1 }
        position = end + 1
        if end + 1 < bytes.count, bytes[end] == carriageReturn, bytes[end + 1] == lineFeed {
            position += 1
        }
        return bytes[start..<end]
    }
}
