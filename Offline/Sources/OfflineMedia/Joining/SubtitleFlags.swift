// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The flag by which players show the subtitles of an MP4 file without a choice of the viewer.
///
/// ffmpeg sets the flag for the first subtitles if no subtitles have the flag.
enum SubtitleFlags {
    /// Clears the flag of all subtitles in a file.
    ///
    /// - Throws: `.failed` if the file's index cannot be found or written.
    static func clear(in path: String) throws(MediaError) {
        try MovieIndex.change(path) { index in
            places(in: index).map { .init(place: $0, bytes: [index[$0] & 0xfe]) }
        }
    }

    /// Returns the places of the bytes with the flags of the subtitle tracks.
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
