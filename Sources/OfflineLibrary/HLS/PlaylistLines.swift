// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The lines of a playlist, one after another, without their ends and without outer spaces.
struct PlaylistLines {
    /// The number of the line given last, from 1.
    private(set) var number = 0
    private let bytes: [UInt8]
    private let limits: PlaylistLimits
    private var position = 0

    init(_ bytes: [UInt8], limits: PlaylistLimits) throws(PlaylistError) {
        guard bytes.count <= limits.bytes else {
            throw PlaylistError(
                .tooLarge,
                "The playlist is longer than \(limits.bytes) bytes; no real one is."
            )
        }
        guard !bytes.starts(with: [0xef, 0xbb, 0xbf]) else {
            throw .invalid("it begins with a byte order mark", at: 1)
        }
        self.bytes = bytes
        self.limits = limits
    }

    /// Returns the next line that is not empty, or nil at the end.
    mutating func next() throws(PlaylistError) -> Substring? {
        while position < bytes.count {
            number += 1
            guard number <= limits.lines else {
                throw PlaylistError(
                    .tooLarge,
                    "The playlist has more than \(limits.lines) lines; no real one has."
                )
            }
            let line = takeLine()
            guard line.count <= limits.lineBytes else {
                throw PlaylistError(
                    .tooLarge,
                    "Line \(number) of the playlist is longer than \(limits.lineBytes) bytes."
                )
            }
            guard !line.isEmpty else { continue }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw .invalid("it is not text in UTF-8", at: number)
            }
            let trimmed = text[...].trimmingSpaces
            if !trimmed.isEmpty { return trimmed }
        }
        return nil
    }

    private mutating func takeLine() -> ArraySlice<UInt8> {
        let start = position
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        position = end + 1
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return bytes[start..<end]
    }
}
