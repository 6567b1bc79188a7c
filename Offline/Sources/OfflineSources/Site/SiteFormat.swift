// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// One form in which a site offers a film or recording, as yt-dlp describes it.
struct SiteFormat: Decodable, Hashable {
    /// The way in which the bytes are fetched.
    enum Transport: Hashable {
        case file
        case hls
        case dash
    }

    /// The name of the form at the site.
    var id: String?
    /// The way to fetch the form, or nil if this program has no source for the form.
    var transport: Transport?
    /// The address of the file or the manifest, or nil if the address is neither http nor https.
    var address: WebAddress?
    /// The page that the site expects as the referrer.
    var referrer: WebAddress?
    /// The first letters of the codec of the pictures, or nil if the codec is unknown.
    var videoCodec: String?
    /// Whether there are pictures, or true if this is unknown.
    var hasPictures = true
    /// Whether there is sound, or true if this is unknown.
    var hasSound = true
    /// The language of the sound.
    var language: String?
    /// The ending of the file's name.
    var container: String?
    /// The size of the pictures, with the bandwidth in bits per second.
    var size = PictureSize(bandwidth: 0)
    /// The number of bytes, or nil if the site does not state the number.
    var bytes: Int64?
    /// Whether the form is protected against copying.
    var isProtected = false

    private enum CodingKeys: String, CodingKey {
        case url, width, height, language, ext, filesize, vcodec, acodec, tbr
        case id = "format_id"
        case way = "protocol"
        case manifest = "manifest_url"
        case isProtected = "has_drm"
        case headers = "http_headers"
    }

    /// Decodes a form.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = values.lenient(String.self, .id)
        let file = values.lenient(String.self, .url)
        let manifest = values.lenient(String.self, .manifest)
        let reference: String?
        switch values.lenient(String.self, .way) {
        case "http", "https": (transport, reference) = (.file, file)
        case "m3u8", "m3u8_native": (transport, reference) = (.hls, manifest ?? file)
        case "http_dash_segments": (transport, reference) = (.dash, manifest)
        default: reference = nil
        }
        address = reference.flatMap { try? WebAddress($0) }
        let headers = values.lenient([String: String].self, .headers) ?? [:]
        referrer = headers["Referer"].flatMap { try? WebAddress($0) }
        videoCodec = Self.codec(values.lenient(String.self, .vcodec))
        hasPictures = videoCodec != "none"
        hasSound = values.lenient(String.self, .acodec) != "none"
        language = values.lenient(String.self, .language)
        container = values.lenient(String.self, .ext)
        bytes = Self.integer(values, .filesize).map(Int64.init)
        // The value “maybe” marks a form that yt-dlp itself would try.
        isProtected = values.lenient(Bool.self, .isProtected) ?? false
        size = PictureSize(
            width: Self.integer(values, .width),
            height: Self.integer(values, .height),
            bandwidth: (values.lenient(Double.self, .tbr)).map { Int(min(max($0, 0), 1e9) * 1_000) }
                ?? 0,
            preference: ["avc1": 4, "avc3": 4, "h264": 4, "hvc1": 2, "hev1": 2][videoCodec] ?? 0
        )
    }

    /// Whether this program can fetch the form.
    var isUsable: Bool { address != nil && transport != nil && !isProtected }

    private static func codec(_ text: String?) -> String? {
        text.map { String($0.prefix(4)).lowercased() }
    }

    /// Returns a number that may be written with a fraction, or nil beyond 2^53.
    private static func integer(
        _ values: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys
    ) -> Int? {
        values.lenient(Double.self, key).flatMap { (1...9e15).contains($0) ? Int($0) : nil }
    }
}

extension [String: Int] {
    /// Returns the value of a key, or nil if the key is nil.
    fileprivate subscript(_ key: String?) -> Int? { key.flatMap { self[$0] } }
}
