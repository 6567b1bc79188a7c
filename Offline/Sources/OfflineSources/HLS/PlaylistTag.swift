// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// A line of a playlist with a known tag.
struct PlaylistTag {
    /// The known tags.
    ///
    /// The parser treats all other tags as comments.
    enum Name: String {
        case information = "EXTINF"
        case targetDuration = "EXT-X-TARGETDURATION"
        case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
        case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
        case playlistType = "EXT-X-PLAYLIST-TYPE"
        case endList = "EXT-X-ENDLIST"
        case key = "EXT-X-KEY"
        case map = "EXT-X-MAP"
        case byteRange = "EXT-X-BYTERANGE"
        case discontinuity = "EXT-X-DISCONTINUITY"
        case gap = "EXT-X-GAP"
        case picturesOnly = "EXT-X-I-FRAMES-ONLY"
        case skip = "EXT-X-SKIP"
        case define = "EXT-X-DEFINE"
        case sessionKey = "EXT-X-SESSION-KEY"
        case stream = "EXT-X-STREAM-INF"
        case media = "EXT-X-MEDIA"
        case sessionData = "EXT-X-SESSION-DATA"
        case programDate = "EXT-X-PROGRAM-DATE-TIME"
        case dateRange = "EXT-X-DATERANGE"

        /// Whether the tag is valid only in master playlists.
        var isMasterOnly: Bool { self == .stream || self == .media || self == .sessionKey }

        /// Whether the value is a list of attributes, which may refer to variables.
        var hasAttributes: Bool { isMasterOnly || [.key, .map, .define].contains(self) }

        /// Whether another reading of the value would lead to other content.
        fileprivate var isStrict: Bool { [.key, .map, .define].contains(self) }
    }

    let name: Name
    /// The text after the colon, or an empty string without a colon.
    var value: Substring
    /// The line number, from 1.
    let number: Int

    /// Parses a line that starts with `#`.
    ///
    /// The result is nil for a comment or an unknown tag.
    init?(_ line: Substring, number: Int) {
        let body = line.dropFirst()
        let word = body.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard let name = Name(rawValue: String(Substring(word).trimmingSpaces)) else { return nil }
        self.name = name
        value = Substring(body.utf8[word.endIndex...].dropFirst()).trimmingSpaces
        self.number = number
    }

    /// Parses the value as an attribute list.
    func attributes() throws(PlaylistError) -> AttributeList {
        try AttributeList(value, at: number, name.isStrict ? .strict : .lenient)
    }

    /// Creates the error for this line.
    ///
    /// In the message, `problem` follows the name of the tag.
    func invalid(
        _ problem: String,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PlaylistError {
        .invalid("\(name.rawValue) \(problem)", at: number, fileID: fileID, line: line)
    }
}
