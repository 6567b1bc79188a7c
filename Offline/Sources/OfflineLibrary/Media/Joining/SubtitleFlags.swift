// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// The flag by which players show the subtitles of an MP4 file without being asked.
///
/// ffmpeg sets it for the first subtitles if it is set for none.
enum SubtitleFlags {
    /// The largest index of a file to read; a film has a few bytes per frame.
    private static let indexLimit = 256 << 20
    /// The number of boxes to look at before the index.
    private static let boxLimit = 100

    /// Clears the flag of all subtitles in a file.
    ///
    /// - Throws: `.failed` if the file's index cannot be found or written.
    static func clear(in path: String) throws(MediaError) {
        do {
            guard let file = FileHandle(forUpdatingAtPath: path) else { throw Unreadable() }
            defer { try? file.close() }
            let (position, index) = try index(of: file)
            for place in places(in: index[...]) {
                try file.seek(toOffset: position + UInt64(place))
                try file.write(contentsOf: [index[place] & 0xfe])
            }
        } catch {
            throw MediaError(
                .failed,
                "The flags of the subtitles cannot be written. Report the address.",
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
                guard length <= indexLimit else { throw Unreadable() }
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

    /// Returns the places of the bytes with the flags of the subtitles' tracks.
    private static func places(in index: ArraySlice<UInt8>) -> [Int] {
        MP4Box.boxes(in: index).filter { $0.type == "trak" }.compactMap { track in
            let boxes = MP4Box.boxes(in: track.content)
            let media = boxes.first { $0.type == "mdia" }.map { MP4Box.boxes(in: $0.content) }
            let handler = media?.first { $0.type == "hdlr" }?.content.dropFirst(8).prefix(4)
            guard let header = boxes.first(where: { $0.type == "tkhd" })?.content,
                header.count > 4, let handler,
                ["sbtl", "text", "subt"].contains(String(decoding: handler, as: UTF8.self))
            else { return nil }
            return header.startIndex + 3
        }
    }
}
