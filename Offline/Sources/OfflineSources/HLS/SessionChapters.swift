// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel

/// The chapters of a stream in the JSON document that the master playlist names as
/// `com.apple.hls.chapters`.
struct SessionChapters: Decodable {
    /// The name of the document in EXT-X-SESSION-DATA.
    static let name = "com.apple.hls.chapters"
    /// The largest document to read in bytes.
    static let limit = 4 << 20

    /// The chapters in the order of their starts.
    let chapters: [Chapter]

    private struct Entry: Decodable {
        struct Title: Decodable {
            var title: String?
        }

        var start: Double?
        var titles: [Title]?

        enum CodingKeys: String, CodingKey {
            case start = "start-time"
            case titles
        }

        init(from decoder: any Decoder) throws {
            let values = try? decoder.container(keyedBy: CodingKeys.self)
            start = values?.lenient(Double.self, .start)
            titles = values?.lenient([Title].self, .titles)
        }
    }

    /// Parses the document, or returns nil if the document is not a list of chapters.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.limit,
            let document = try? JSONDecoder().decode(SessionChapters.self, from: Data(bytes))
        else { return nil }
        self = document
    }

    /// Decodes the list.
    ///
    /// An entry without a start is left out.
    init(from decoder: any Decoder) throws {
        let entries = try decoder.singleValueContainer().decode([Entry].self)
        chapters = Chapter.list(
            entries.lazy.compactMap { entry in
                entry.start.map { (start: $0, title: entry.titles?.first?.title ?? "") }
            }
        )
    }
}
