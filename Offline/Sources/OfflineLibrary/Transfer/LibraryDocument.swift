// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsHTTP

/// The lines of an exported library: a head, the settings, the items, the feeds, each with its
/// entries after it, the collections, and an end.
///
/// A new kind of line, or another meaning of a line, needs another version: a reader refuses newer
/// versions, and each line that it does not know. New members of a line need none; readers ignore
/// unknown ones. Version 1 had items alone, version 2 no collections.
enum LibraryDocument {
    /// The name of the format.
    static let format = "offline-library"
    /// The version of the format with collections; this program also reads the earlier ones.
    static let version = 3
    /// The version of a text without collections, which earlier programs read.
    static let versionWithoutCollections = 2
    /// The maximum size of a line in bytes.
    ///
    /// An item may have a thousand chapters.
    static let longestLine = 1 << 20
    /// The maximum number of lines.
    static let maximumLines = 4_000_000
    /// The maximum number of items of all collections, each counted in each of its collections.
    static let maximumMemberships = 4_000_000
    /// The number of items in a line of a collection; the next line continues it.
    static let membersOfLine = 10_000
    /// The settings that a text carries.
    ///
    /// A text may come from anywhere, so a setting that names a program is never one of them.
    static let settings: [SettingKey] = [
        .downloads, .perHost, .limit, .hours, .quality, .audio, .subtitles, .notify,
        .notifyOn,
    ]

    /// The first line.
    struct Head: Codable, Sendable {
        var format = LibraryDocument.format
        var version = LibraryDocument.version
        var exportedAt: Date
        var catalog: Catalog?
    }

    /// The catalog of lessons that the user has chosen.
    struct Catalog: Codable, Sendable {
        var address: String
        var allowPrivate: Bool
    }

    /// The line of an item.
    struct Item: Codable, Sendable {
        var address: String
        var quality: String
        /// The chosen languages; absent for all.
        var audio: String?
        var subtitles: String?
        /// The chosen part of the film; absent for the whole one.
        var keptChapters: String?
        var allowPrivate: Bool?
        var title: String
        var kind: String?
        var state: ItemState
        var fileName: String?
        var size: Int64?
        var sha256: String?
        /// The time of the finished file in nanoseconds since 1970.
        ///
        /// A file with another time was changed by the person, and its feed keeps it.
        var modified: Int64?
        var mediaType: String?
        var duration: Double?
        var width: Int?
        var height: Int?
        var note: String?
        var error: ItemFailure?
        var createdAt: Date
        var readyAt: Date?
        var live: LiveRecording?
        /// The position of an unfinished item in the order of the queue.
        var position: Int64?
        var referrer: String?
        var proxy: String?
        var checksum: String?
        /// The limit of its speed.
        var limit: String?
        /// The names of the files of subtitles beside the film.
        var subtitleFiles: [String]?
        /// The recorded checksums of files of subtitles, by the ends of their names after that of
        /// the film.
        var subtitleChecksums: [String: SubtitleChecksum]?
        var chapters: [Chapter]?
        /// How far it has been played.
        var playback: Playback?
        /// Whether the person keeps it on purpose, so that no feed removes it.
        var kept: Bool?
        /// The options that the file does not contain, because they may be secrets.
        var omitted: [String]?
    }

    /// The line of a setting that differs from that of a new library.
    struct Setting: Codable, Sendable {
        /// The name.
        var setting: String
        var value: String
    }

    /// The line of a followed feed; the lines of its entries come after it.
    struct Feed: Codable, Sendable {
        /// The address.
        var feed: String
        var title: String
        var keep: Int
        /// Whether the pages of entries without media are kept.
        var pages: Bool?
        var allowPrivate: Bool?
        var createdAt: Date
        var referrer: String?
        var proxy: String?
        var limit: String?
        /// The options that the text does not contain, because they may be secrets.
        var omitted: [String]?
    }

    /// The line of an entry that the feed before it has had, so that it is not fetched again.
    struct Entry: Codable, Sendable {
        /// The names by which the feed recognizes it, the oldest first.
        var entry: [String]
        /// The time of publication in seconds since 1970.
        var published: Double
        /// The number of the line of its item among those of the items, from 1.
        var item: Int?
        /// Whether its item has been removed.
        var removed: Bool?
        /// Whether the feed has fetched the item; absent if the person had it before.
        var fetched: Bool?
    }

    /// The line of a collection, or of the items that come after those of the line before it.
    struct Collection: Codable, Sendable {
        /// The name.
        var collection: String
        var createdAt: Date
        /// The numbers of the lines of its items among those of the items, from 1, in order.
        var items: [Int]
    }

    /// The last line.
    struct End: Codable, Sendable {
        /// The number of items before it.
        var items: Int
        /// The number of feeds before it; absent in version 1.
        var feeds: Int?
        /// The number of lines of collections before it; absent without any.
        var collections: Int?
    }

    /// A line after the first one.
    enum Line: Decodable {
        case setting(Setting)
        case item(Item)
        case feed(Feed)
        case entry(Entry)
        case collection(Collection)
        case end(End)

        private enum Keys: String, CodingKey {
            case setting, quality, feed, entry, collection, items
        }

        init(from decoder: any Decoder) throws {
            let found = try decoder.container(keyedBy: Keys.self)
            // Each kind has a member that no kind after it has.
            if found.contains(.quality) {
                self = .item(try Item(from: decoder))
            } else if found.contains(.entry) {
                self = .entry(try Entry(from: decoder))
            } else if found.contains(.feed) {
                self = .feed(try Feed(from: decoder))
            } else if found.contains(.setting) {
                self = .setting(try Setting(from: decoder))
            } else if found.contains(.collection) {
                self = .collection(try Collection(from: decoder))
            } else if found.contains(.items) {
                self = .end(try End(from: decoder))
            } else {
                throw ImportFault("This version knows no such line.")
            }
        }
    }
}

/// The texts of options that are no secrets, and the names of options that may be.
private struct SharedOptions {
    let proxy: String?
    let omitted: [String]?

    init(_ options: RequestOptions) {
        let text = options.proxy?.text
        let hasPassword = text?.contains("@") == true
        proxy = hasPassword ? nil : text
        let left = [
            options.headers.isEmpty ? nil : "headers", options.cookies.isEmpty ? nil : "cookies",
            hasPassword ? "proxy" : nil,
        ].compactMap(\.self)
        omitted = left.isEmpty ? nil : left
    }
}

extension LibraryDocument.Feed {
    /// Creates the line of a feed.
    init(_ found: Feed, _ options: RequestOptions) {
        feed = found.address.text
        title = found.title
        keep = found.keep
        pages = found.keepsPages ? true : nil
        allowPrivate = found.allowsPrivateAddresses ? true : nil
        createdAt = found.createdAt
        referrer = options.referrer?.text
        limit = options.limit?.rawValue
        let shared = SharedOptions(options)
        proxy = shared.proxy
        omitted = shared.omitted
    }
}

extension LibraryDocument.Item {
    /// Creates the line of an item.
    init(
        _ stored: Registry.StoredItem,
        _ options: RequestOptions,
        subtitleFiles: [String]
    ) {
        let item = stored.item
        address = item.origin.text
        quality = item.choice.quality.description
        audio = item.choice.audio == .all ? nil : item.choice.audio.description
        subtitles = item.choice.subtitles == .all ? nil : item.choice.subtitles.description
        keptChapters = item.choice.chapters?.description
        allowPrivate = item.allowsPrivateAddresses ? true : nil
        title = item.title
        kind = item.kind?.rawValue
        state = item.state
        fileName = item.fileName
        size = item.size
        sha256 = stored.sha256
        modified = stored.modified
        mediaType = item.mediaType
        duration = item.duration
        width = item.width
        height = item.height
        note = item.note
        error = item.failure
        createdAt = item.createdAt
        readyAt = item.readyAt
        live = item.live
        position = [.ready, .missing, .unverified].contains(item.state) ? nil : item.position
        referrer = options.referrer?.text
        checksum = options.checksum?.text
        limit = options.limit?.rawValue
        self.subtitleFiles = subtitleFiles.isEmpty ? nil : subtitleFiles
        subtitleChecksums = stored.subtitleChecksums.isEmpty ? nil : stored.subtitleChecksums
        chapters = stored.chapters.isEmpty ? nil : stored.chapters
        playback = item.playback.isNew ? nil : item.playback
        kept = stored.isKept ? true : nil
        let shared = SharedOptions(options)
        proxy = shared.proxy
        omitted = shared.omitted
    }
}
