// SPDX-License-Identifier: Apache-2.0

extension ContentKind {
    /// Extensions of media files that this program never gives.
    private static let otherExtensions: [String: ContentKind] = [
        "m4v": .mp4, "m4b": .m4a, "mka": .matroska, "m2ts": .mpegTS, "mts": .mpegTS, "oga": .ogg,
        "ogv": .ogg, "opus": .ogg,
    ]

    /// Creates the kind for the extension of a media file, or returns nil for other names.
    package init?(mediaFileName name: String) {
        let name = name.lowercased()
        let kinds = ContentKind.allCases.filter(\.isMedia).map { ($0.fileExtension, $0) }
        let all = kinds + Self.otherExtensions.map { ($0.key, $0.value) }
        guard let kind = all.first(where: { name.hasSuffix(".\($0.0)") })?.1 else { return nil }
        self = kind
    }

    /// Whether a name has the extension of a description of media, such as a playlist.
    package static func isDescription(fileName: String) -> Bool {
        let name = fileName.lowercased()
        return [".m3u8", ".m3u", ".mpd"].contains { name.hasSuffix($0) }
    }
}
