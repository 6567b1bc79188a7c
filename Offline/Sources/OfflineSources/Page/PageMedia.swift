// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// One form of a film or recording: a stream or a file.
package struct PageMedia: Hashable, Sendable {
    /// The kind of a form.
    package enum Format: Hashable, Sendable {
        case hls
        case dash
        case video
        case audio
    }

    /// The address, which is http or https.
    package var address: WebAddress
    /// The kind that the name, the type or the element suggests.
    package var format: Format
    /// The media type that the page states.
    package var type: String?
    /// The height in pixels that the page or the name states.
    package var height: Int?
}

extension PageMedia.Format {
    /// The name for the user.
    var name: String {
        switch self {
        case .hls: "HLS"
        case .dash: "DASH"
        case .video: "video"
        case .audio: "audio"
        }
    }

    private static let extensions: [String: Self] = [
        "m3u8": .hls, "mpd": .dash, "mp4": .video, "m4v": .video, "webm": .video, "mov": .video,
        "mkv": .video, "ogv": .video, "avi": .video, "flv": .video, "mpg": .video, "mpeg": .video,
        "wmv": .video, "3gp": .video, "mp3": .audio, "m4a": .audio, "m4b": .audio, "aac": .audio,
        "ogg": .audio, "oga": .audio, "opus": .audio, "flac": .audio, "wav": .audio, "mka": .audio,
    ]

    /// Creates the format that the end of a name suggests, or nil for any other name.
    ///
    /// - Parameter reference: An address of any length, with or without a query.
    init?(reference: String) {
        // Only the last bytes of the path count. The path ends at the query.
        let bytes = reference.utf8
        let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.suffix(8)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex,
            bytes[bytes.index(before: dot)] != UInt8(ascii: "/"),
            let format = Self.extensions[
                String(reference[dot..<path.endIndex].dropFirst()).lowercased()
            ]
        else { return nil }
        self = format
    }

    /// Creates the format of a media type or of a player's name for a format, or nil for any other
    /// string.
    init?(type: String) {
        let type = type.lowercased()
        if type.contains("mpegurl") || type == "hls" || type == "m3u8" {
            self = .hls
        } else if type.contains("dash+xml") || type == "dash" || type == "mpd" {
            self = .dash
        } else if type.hasPrefix("video/") || Self.extensions[type] == .video {
            self = .video
        } else if type.hasPrefix("audio/") || Self.extensions[type] == .audio {
            self = .audio
        } else {
            return nil
        }
    }
}

extension PageMedia {
    /// Returns the height in a label such as `1080p`, `1920x1080`, `720` or `4K`.
    static func height(inLabel label: String) -> Int? {
        let label = label.prefix(32).lowercased()
        if label.contains("4k") { return 2_160 }
        let numbers = label.split { !$0.isNumber }.compactMap { Int($0) }
        let heights = numbers.filter { (100...4_400).contains($0) }
        return label.contains("x") && heights.count == 2 ? heights[1] : heights.first
    }

    /// Returns the height in the last parts of a path, such as `film-720p.mp4` or `1080/film.mp4`.
    static func height(inPath path: String) -> Int? {
        let words = path.suffix(96).split { !$0.isLetter && !$0.isNumber }
        return words.reversed().lazy.compactMap { qualities[$0.lowercased()] }.first
    }

    static let qualities: [String: Int] = {
        let heights = [144, 240, 270, 288, 360, 432, 480, 540, 576, 720, 1_080, 1_440, 2_160]
        let pairs = heights.flatMap { [("\($0)", $0), ("\($0)p", $0)] }
        return Dictionary(pairs + [("4k", 2_160)], uniquingKeysWith: { first, _ in first })
    }()
}
