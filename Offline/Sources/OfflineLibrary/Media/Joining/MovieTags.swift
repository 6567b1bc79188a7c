// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The title of a joined film, and the mark of HEVC that Apple's players need.
///
/// ffmpeg receives only a placeholder for the title: no text of a server becomes an argument.
enum MovieTags {
    private static let placeholderLength = 512
    private static let titleType = "\u{A9}nam"
    private static let toolType = "\u{A9}too"

    /// The options by which ffmpeg leaves space for a title.
    static let placeholder = [
        "-metadata", "title=" + String(repeating: "x", count: placeholderLength),
    ]

    /// Writes the tags into a file that ffmpeg wrote with `placeholder`.
    ///
    /// - Throws: `.failed` if the file's index cannot be found or written.
    static func write(title: String, to path: String) throws(MediaError) {
        try MovieIndex.change(path) { index in
            markHEVC(in: index) + setTitle(title, in: index)
        }
    }

    /// Returns the changes from `hev1` to `hvc1`; ffmpeg always writes the parameters that this
    /// promises into the index.
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

    /// Returns the change of the movie's tags; none without a placeholder.
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
        // Type 1 is UTF-8; the second number is the language.
        let data = box("data", [0, 0, 0, 1, 0, 0, 0, 0] + limited(title))
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

    /// Returns the UTF-8 of a title, cut after a whole scalar.
    private static func limited(_ title: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in title.unicodeScalars {
            let next = Array(String(scalar).utf8)
            // A free box needs eight bytes.
            guard bytes.count + next.count <= placeholderLength - 8 else { break }
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
