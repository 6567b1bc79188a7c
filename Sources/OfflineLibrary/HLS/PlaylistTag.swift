// SPDX-License-Identifier: Apache-2.0

/// One meaningful line of a playlist.
struct PlaylistTag {
    /// The tags that are acted upon; every other one is a comment to us.
    enum Name: String {
        case information = "EXTINF"
        case targetDuration = "EXT-X-TARGETDURATION"
        case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
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
        case stream = "EXT-X-STREAM-INF"
        case media = "EXT-X-MEDIA"

        /// Whether the tag stands only in playlists of renditions.
        var isOfMaster: Bool { self == .stream || self == .media }
    }

    let name: Name
    /// The text after the colon; empty if there is none.
    let value: Substring
    /// The number of its line, from 1.
    let number: Int

    /// Returns nil for a comment or an unknown tag.
    init?(_ line: Substring, number: Int) {
        let body = line.dropFirst()
        let word = body.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard let name = Name(rawValue: String(Substring(word))) else { return nil }
        self.name = name
        value = Substring(body.utf8[word.endIndex...].dropFirst()).trimmingSpaces
        self.number = number
    }

    /// The value as an attribute list.
    func attributes() throws(PlaylistError) -> AttributeList {
        try AttributeList(value, at: number)
    }

    /// Creates the error for this line.
    func invalid(
        _ what: String,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PlaylistError {
        .invalid("\(name.rawValue) \(what)", at: number, fileID: fileID, line: line)
    }
}
