// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Changes the index of an MP4 file, the content of the box `moov`, in place.
enum MovieIndex {
    /// Bytes to write at a place of the index, counted from the beginning of the index.
    struct Change: Hashable {
        let place: Int
        let bytes: [UInt8]
    }

    /// The largest index to read.
    ///
    /// A film has a few bytes per frame.
    private static let sizeLimit = 256 << 20
    /// The number of boxes to look at before the index.
    private static let boxLimit = 100

    /// Makes the changes that a closure returns for the index of a file.
    ///
    /// The size of the index stays the same.
    ///
    /// - Throws: `.failed` if the index cannot be found or written.
    static func change(
        _ path: String,
        _ changes: (ArraySlice<UInt8>) -> [Change]
    ) throws(MediaError) {
        do {
            guard let file = FileHandle(forUpdatingAtPath: path) else { throw Unreadable() }
            defer { try? file.close() }
            let (position, index) = try index(of: file)
            for change in changes(index[...]) {
                try file.seek(toOffset: position + UInt64(change.place))
                try file.write(contentsOf: change.bytes)
            }
        } catch {
            throw MediaError(
                .failed,
                "The title and flags of the film cannot be written. Free some space, then try again.",
                cause: error
            )
        }
    }

    private struct Unreadable: Error {}

    /// Returns the content of the index and its position in the file.
    private static func index(of file: FileHandle) throws -> (position: UInt64, bytes: [UInt8]) {
        var position: UInt64 = 0
        for _ in 0..<boxLimit {
            try file.seek(toOffset: position)
            guard let header = try file.read(upToCount: 16), let box = MP4Box(Array(header)[...]),
                box.size >= box.headerLength
            else { throw Unreadable() }
            if box.type == "moov" {
                let start = position + UInt64(box.headerLength)
                let length = box.size - box.headerLength
                guard length <= sizeLimit else { throw Unreadable() }
                try file.seek(toOffset: start)
                guard let bytes = try file.read(upToCount: length), bytes.count == length else {
                    throw Unreadable()
                }
                return (start, Array(bytes))
            }
            position += UInt64(box.size)
        }
        throw Unreadable()
    }
}
