// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The title of a joined film, the names of the tracks, and the mark of HEVC that Apple's players
/// need.
///
/// ffmpeg receives only placeholders for the names, so that no text of a server becomes an
/// argument.
package enum MovieTags {
    private static let placeholderLength = 512
    private static let titleType = "\u{A9}nam"
    private static let toolType = "\u{A9}too"

    /// The options by which ffmpeg leaves space for a title.
    static let placeholder = [
        "-metadata", "title=" + String(repeating: "x", count: placeholderLength),
    ]

    private static let trackMark = "track-"
    private static let trackNameLength = 176

    /// Returns the tag by which ffmpeg leaves space for the name of a track.
    static func placeholder(ofTrack number: Int) -> String {
        let mark = "\(trackMark)\(number)-"
        return "handler_name="
            + mark + String(repeating: "x", count: max(0, trackNameLength - mark.utf8.count))
    }

    /// Writes the tags into a file that ffmpeg wrote with the placeholders.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - names: The names of the tracks, by the numbers of their placeholders.
    ///   - path: The file.
    /// - Throws: `.failed` if the file's index cannot be found or written.
    package static func write(
        title: String,
        names: [String?] = [],
        to path: String
    ) throws(MediaError) {
        try MovieIndex.change(path) { index in
            markHEVC(in: index) + setNames(names, in: index) + setTitle(title, in: index)
        }
    }

    /// Returns the changes of the tracks' names.
    ///
    /// Zeros end a name and fill the rest of the space.
    private static func setNames(
        _ names: [String?],
        in index: ArraySlice<UInt8>
    ) -> [MovieIndex.Change] {
        MP4Box.boxes(in: index).filter { $0.type == "trak" }.compactMap { track in
            // The version, the type and reserved fields come before the name.
            guard let media = content(of: "mdia", in: track.content),
                let name = content(of: "hdlr", in: media)?.dropFirst(24).prefix(trackNameLength),
                name.count == trackNameLength, name.starts(with: trackMark.utf8)
            else { return nil }
            let digits = name.dropFirst(trackMark.utf8.count).prefix { $0 != UInt8(ascii: "-") }
            let number = Int(String(decoding: digits, as: UTF8.self)) ?? -1
            let text = names.indices.contains(number) ? names[number] ?? "" : ""
            let bytes = limited(text, to: trackNameLength)
            let rest = Array(repeating: UInt8(0), count: trackNameLength - bytes.count)
            return MovieIndex.Change(place: name.startIndex, bytes: bytes + rest)
        }
    }

    /// Returns the changes from `hev1` to `hvc1`.
    ///
    /// The type `hvc1` promises parameters in the index, and ffmpeg always writes these parameters
    /// there.
    private static func markHEVC(in index: ArraySlice<UInt8>) -> [MovieIndex.Change] {
        MP4Box.boxes(in: index).filter { $0.type == "trak" }.flatMap { track in
            var table: ArraySlice<UInt8>? = track.content
            for type in ["mdia", "minf", "stbl", "stsd"] {
                table = table.flatMap { content(of: type, in: $0) }
            }
            // The version and the number of entries come first.
            let entries = MP4Box.boxes(in: table?.dropFirst(8) ?? [])
            return entries.filter { $0.type == "hev1" }.map {
                MovieIndex.Change(place: $0.content.startIndex - 4, bytes: Array("hvc1".utf8))
            }
        }
    }

    /// Returns the change of the movie's tags, or no change without a placeholder.
    ///
    /// The space that the title does not need becomes a free box, so that nothing moves.
    private static func setTitle(
        _ title: String,
        in index: ArraySlice<UInt8>
    ) -> [MovieIndex.Change] {
        guard let tags = content(of: "udta", in: index),
            let meta = content(of: "meta", in: tags)?.dropFirst(4),
            let handler = content(of: "hdlr", in: meta),
            let list = content(of: "ilst", in: meta),
            let placeholder = content(of: titleType, in: list),
            placeholder.suffix(placeholderLength).allSatisfy({ $0 == UInt8(ascii: "x") })
        else { return [] }
        // Type 1 is UTF-8, and the second number is the language. The free box needs eight bytes.
        let text = limited(title, to: placeholderLength - 8)
        let data = box("data", [0, 0, 0, 1, 0, 0, 0, 0] + text)
        let others = MP4Box.boxes(in: list).filter { ![titleType, toolType].contains($0.type) }
        let items = box(titleType, data) + others.flatMap { box($0.type, Array($0.content)) }
        let fixed = [0, 0, 0, 0] + box("hdlr", Array(handler)) + box("ilst", items)
        let kept = MP4Box.boxes(in: tags).filter { !["meta", "free"].contains($0.type) }
        let new = box("meta", fixed) + kept.flatMap { box($0.type, Array($0.content)) }
        let free = tags.count - new.count
        guard free >= 8 else { return [] }
        let rest = box("free", Array(repeating: 0, count: free - 8))
        return [MovieIndex.Change(place: tags.startIndex, bytes: new + rest)]
    }

    private static func content(
        of type: String,
        in bytes: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8>? {
        MP4Box.boxes(in: bytes).first { $0.type == type }?.content
    }

    /// Returns the UTF-8 bytes of a string, cut after a whole scalar.
    private static func limited(_ text: String, to length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let next = Array(String(scalar).utf8)
            guard bytes.count + next.count <= length else { break }
            bytes += next
        }
        return bytes
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let size = UInt32(content.count + 8)
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
        return bytes + type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
    }
}
