// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The media at an address and the content that a download would keep.
package struct MediaInspection: Hashable, Sendable, Codable {
    /// The address as requested.
    package var address: String
    /// The kind of the media: `page` for a page with several media, or nil if no source recognized
    /// the media.
    package var kind: ItemKind?
    /// The title that an item would get.
    package var title: String
    /// The host that sent the media, after redirects, with the port unless the port is the usual
    /// one.
    package var host: String?
    /// The media type of a file.
    package var mediaType: String?
    /// The number of bytes, or nil if the server does not announce the size.
    package var size: Int64?
    /// The duration in seconds, or nil if the duration is unknown.
    package var duration: Double?
    /// Whether the stream has not ended.
    package var isLive = false
    /// The media of a page.
    package var candidates: [MediaCandidate] = []
    /// The sizes of the pictures.
    package var qualities: [MediaOffer.Quality] = []
    /// The sound beside the pictures.
    package var audio: [MediaOffer.Language] = []
    /// The subtitles.
    package var subtitles: [MediaOffer.Language] = []
    /// The omissions and replacements of a download with this choice.
    package var notes: [String] = []
    /// The reason why a download would fail, or nil if the download would start.
    package var refusal: ItemFailure?

    /// Creates an inspection without any findings.
    package init(_ origin: ItemOrigin) {
        address = origin.text
        title = Title(origin: origin).text
    }
}

/// One of the media of a page, which has an address for separate downloads.
package struct MediaCandidate: Hashable, Sendable, Codable {
    /// The address of the media.
    package var address: String
    /// The title.
    package var title: String
    /// The format, such as `HLS` or `video`.
    package var format: String
    /// The page that requests for the address name as the referrer.
    package var referrer: String?
    /// The address of a picture.
    package var picture: String?
    /// The height of the picture in pixels that the page states.
    package var height: Int?
    /// The duration in seconds that the page states.
    package var duration: Double?
}

/// The qualities and languages that a stream offers.
package struct MediaOffer: Hashable, Sendable {
    /// A size of the pictures.
    package struct Quality: Hashable, Sendable, Codable {
        /// The width in pixels.
        package var width: Int?
        /// The height in pixels.
        package var height: Int?
        /// The bandwidth in bits per second.
        package var bandwidth: Int?
        /// The codecs, in the notation of RFC 6381.
        package var codecs: [String] = []
        /// Whether a download with this choice keeps the size.
        package var isKept = false
        /// The reason why the size cannot be kept, or nil if the size can be kept.
        package var problem: String?
    }

    /// Sound or subtitles in one language.
    package struct Language: Hashable, Sendable, Codable {
        /// The language as the stream names it, such as `en-US`.
        package var language: String?
        /// The name for the user.
        package var name: String?
        /// Whether a download with this choice keeps the language.
        package var isKept = false
    }

    /// The sizes of the pictures.
    package var qualities: [Quality] = []
    /// The sound beside the pictures.
    package var audio: [Language] = []
    /// The subtitles.
    package var subtitles: [Language] = []

    /// The maximum number of entries of each kind to show.
    private static let limit = 64

    /// Creates an offer with a limited number of entries, so that the user can choose from the
    /// list.
    package init(qualities: [Quality] = [], audio: [Language] = [], subtitles: [Language] = []) {
        self.qualities = Array(qualities.prefix(Self.limit))
        self.audio = Array(audio.prefix(Self.limit))
        self.subtitles = Array(subtitles.prefix(Self.limit))
    }
}

extension MediaOffer.Language {
    /// Creates a language with the strings of a server, which are shortened.
    package init(named name: String?, language: String?, isKept: Bool) {
        func line(_ text: String?) -> String? {
            guard let text else { return nil }
            let line = Title(line: text, longest: 40, fallback: "").text
            return line.isEmpty ? nil : line
        }
        self.init(language: line(language), name: line(name), isKept: isKept)
    }
}

extension MediaOffer.Quality {
    /// Creates a quality with the statements of a server, which are shortened.
    init(_ size: PictureSize, codecs: [String], isKept: Bool, problem: String? = nil) {
        self.init(
            width: size.width,
            height: size.height,
            bandwidth: size.bandwidth > 0 ? size.bandwidth : nil,
            codecs: codecs.prefix(4).map { Title(line: $0, longest: 32, fallback: "?").text },
            isKept: isKept,
            problem: problem
        )
    }
}
