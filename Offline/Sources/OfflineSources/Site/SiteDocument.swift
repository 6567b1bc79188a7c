// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import TidingsHTTP

/// The description of a page that yt-dlp prints as JSON.
///
/// A value of an unexpected type counts as missing.
struct SiteDocument: Decodable {
    /// The maximum number of formats, of entries and of languages to read.
    private static let limit = 4_096

    /// The title of the film or recording.
    var title: String?
    /// The name of the part of yt-dlp that reads the site.
    var extractor: String?
    /// The name of the film at the site.
    var id: String?
    /// The address of an entry that is not described further.
    var address: String?
    /// Whether the broadcast is still running.
    var isLive = false
    /// The duration in seconds.
    var duration: Double?
    /// The address of a picture.
    var picture: WebAddress?
    /// The forms in which the site offers the film, the worst first.
    var formats: [SiteFormat] = []
    /// The films of a page with several films, or nil for a page with one film.
    var entries: [SiteDocument]?
    /// The subtitles, in the order of the languages.
    var subtitles: [SiteSubtitle] = []
    /// The chapters.
    var chapters: [Chapter] = []

    private enum CodingKeys: String, CodingKey {
        case title, id, formats, entries, subtitles, url, duration, chapters, thumbnail
        case extractor = "extractor_key"
        case isLive = "is_live"
    }

    /// Parses the output of yt-dlp.
    ///
    /// - Throws: An error of the decoder if the output is not a JSON object or is too deeply
    ///   nested.
    init(_ output: [UInt8]) throws {
        self = try JSONDecoder().decode(SiteDocument.self, from: Data(output))
    }

    /// Decodes a description.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = values.lenient(String.self, .title)
        extractor = values.lenient(String.self, .extractor)
        id = values.lenient(String.self, .id)
        address = values.lenient(String.self, .url)
        isLive = values.lenient(Bool.self, .isLive) ?? false
        duration = values.lenient(Double.self, .duration)
            .flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        picture = values.lenient(String.self, .thumbnail)
            .flatMap { $0.utf8.count <= 4_096 ? try? WebAddress($0) : nil }
        formats = Self.list(values, .formats) ?? []
        entries = Self.list(values, .entries)
        let texts = values.lenient([String: Forms].self, .subtitles) ?? [:]
        subtitles = texts.keys.filter { $0 != "live_chat" }.sorted().prefix(Self.limit)
            .map { SiteSubtitle($0, texts[$0]?.list ?? []) }
        let parts: [SiteChapter]? = Self.list(values, .chapters)
        chapters = Chapter.list((parts ?? []).map { (start: $0.start, title: $0.title ?? "") })
    }

    private static func list<Element: Decodable>(
        _ values: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys
    ) -> [Element]? {
        values.lenient([Lenient<Element>].self, key)?.prefix(limit).compactMap(\.value)
    }
}

/// A chapter as yt-dlp describes it.
private struct SiteChapter: Decodable {
    var start: Double
    var title: String?

    enum CodingKeys: String, CodingKey {
        case start = "start_time"
        case title
    }
}

/// The forms of subtitles, or an empty list for a value of another type.
private struct Forms: Decodable {
    let list: [SiteSubtitle.Form]

    init(from decoder: any Decoder) throws {
        let forms = try? decoder.singleValueContainer().decode([Lenient<SiteSubtitle.Form>].self)
        list = (forms ?? []).prefix(64).compactMap(\.value)
    }
}

/// A value that is nil if the JSON has a value of another type in this place.
private struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? decoder.singleValueContainer().decode(Value.self)
    }
}

extension KeyedDecodingContainer {
    /// Returns a value, or nil if the value is missing or has another type.
    func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }
}
