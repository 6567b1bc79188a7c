// SPDX-License-Identifier: Apache-2.0

/// The kind of a downloaded content.
package enum ContentKind: String, Hashable, Sendable, CaseIterable {
    case hlsPlaylist
    case dash
    case html
    /// A list of entries: RSS, Atom or JSON Feed.
    case feed
    case mpegTS
    case mp4
    case m4a
    case quickTime
    /// A fragment of an MP4 stream, unusable without its initialization section.
    case fragmentedMP4Segment
    case matroska
    case webm
    case ogg
    case mp3
    case aac
    case flac
    case wav
    case avi
    case flv
    case vtt
    case jpeg
    case png
    case gif
    case webp
    case avif
    case heic
    case pdf
    case zip
    case epub
    case gzip
    case text
    case unknown

    /// Whether a name has the extension of media that this program keeps.
    package static func isMedia(fileName: String) -> Bool {
        allCases.contains { $0.isMedia && fileName.lowercased().hasSuffix(".\($0.fileExtension)") }
    }

    /// The file name extension for this kind, from a fixed list and never from a server.
    package var fileExtension: String {
        switch self {
        case .hlsPlaylist: "m3u8"
        case .dash: "mpd"
        case .html: "html"
        case .feed: "xml"
        case .mpegTS: "ts"
        case .mp4: "mp4"
        case .m4a: "m4a"
        case .quickTime: "mov"
        case .fragmentedMP4Segment: "m4s"
        case .matroska: "mkv"
        case .webm: "webm"
        case .ogg: "ogg"
        case .mp3: "mp3"
        case .aac: "aac"
        case .flac: "flac"
        case .wav: "wav"
        case .avi: "avi"
        case .flv: "flv"
        case .vtt: "vtt"
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webp: "webp"
        case .avif: "avif"
        case .heic: "heic"
        case .pdf: "pdf"
        case .zip: "zip"
        case .epub: "epub"
        case .gzip: "gz"
        case .text: "txt"
        case .unknown: "bin"
        }
    }

    /// The media type for serving a file of this kind.
    ///
    /// Browsers run no scripts in these media types.
    package var mediaType: String {
        switch self {
        case .mpegTS: "video/mp2t"
        case .mp4, .fragmentedMP4Segment: "video/mp4"
        case .m4a: "audio/mp4"
        case .quickTime: "video/quicktime"
        case .matroska: "video/x-matroska"
        case .webm: "video/webm"
        case .ogg: "audio/ogg"
        case .mp3: "audio/mpeg"
        case .aac: "audio/aac"
        case .flac: "audio/flac"
        case .wav: "audio/wav"
        case .avi: "video/x-msvideo"
        case .flv: "video/x-flv"
        case .vtt: "text/vtt"
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .avif: "image/avif"
        case .heic: "image/heic"
        case .pdf: "application/pdf"
        case .text, .hlsPlaylist, .html, .feed, .dash: "text/plain; charset=utf-8"
        case .zip, .epub, .gzip, .unknown: "application/octet-stream"
        }
    }

    /// Whether the first bytes allow a more specific kind, which the declared type may name.
    package var isUnspecific: Bool { self == .text || self == .unknown }

    /// Whether a file of this kind is audio or video, and so must pass the probe.
    package var isMedia: Bool {
        switch self {
        case .mpegTS, .mp4, .m4a, .quickTime, .matroska, .webm, .ogg, .mp3, .aac, .flac, .wav,
            .avi, .flv:
            true
        case .hlsPlaylist, .dash, .html, .feed, .fragmentedMP4Segment, .vtt, .jpeg, .png, .gif,
            .webp, .avif, .heic, .pdf, .zip, .epub, .gzip, .text, .unknown:
            false
        }
    }
}
