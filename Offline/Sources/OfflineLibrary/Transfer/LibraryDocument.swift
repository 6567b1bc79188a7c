// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineStore
import TidingsHTTP

/// The lines of an exported library: a head, the settings, the items, the feeds with the entries of
/// each feed, the collections, and an end.
///
/// A new kind of line, or a new meaning of a line, needs a new version, because a reader refuses
/// newer versions and unknown lines. New members of a line need no new version, because readers
/// ignore unknown members. Version 1 had only items, and version 2 had no collections.
enum LibraryDocument {
    /// The name of the format.
    static let format = "offline-library"
    /// The version of the format with collections.
    ///
    /// This program also reads the earlier versions.
    static let version = 3
    /// The version of a document without collections, which earlier programs can read.
    static let versionWithoutCollections = 2
    /// The maximum size of a line in bytes.
    ///
    /// The limit leaves room for an item with a thousand chapters.
    static let longestLine = 1 << 20
    /// The maximum number of lines.
    static let maximumLines = 4_000_000
    /// The maximum number of items in all collections.
    ///
    /// An item counts once for each collection.
    static let maximumMemberships = 4_000_000
    /// The number of items in a collection line.
    ///
    /// The next line continues a longer collection.
    static let membersOfLine = 10_000

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

    /// The line of an item, in which the fields, the marks and the other members are one object.
    @dynamicMemberLookup
    struct Item: Codable, Sendable {
        /// The members besides the fields and the marks.
        struct Members: Codable, Sendable {
            var address: String
            var quality: String
            /// The chosen languages, absent for all languages.
            var audio: String?
            var subtitles: String?
            /// The chosen part of the film, absent for the whole film.
            var keptChapters: String?
            var allowPrivate: Bool?
            /// The position of an unfinished item in the order of the queue.
            var position: Int64?
            var referrer: String?
            var proxy: String?
            var checksum: String?
            /// The speed limit of the download.
            var limit: String?
            /// The names of the subtitle files beside the film.
            var subtitleFiles: [String]?
            /// The recorded checksums of subtitle files, by the part of the file name after the
            /// film's stem.
            var subtitleChecksums: [String: SubtitleChecksum]?
            var chapters: [Chapter]?
            /// The options that the document does not contain, because they may be secrets.
            var omitted: [String]?
        }

        let fields: ItemFields
        let marks: ItemMarks
        let members: Members

        init(from decoder: any Decoder) throws {
            fields = try ItemFields(from: decoder)
            marks = try ItemMarks(from: decoder)
            members = try Members(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            try fields.encode(to: encoder)
            try marks.encode(to: encoder)
            try members.encode(to: encoder)
        }

        subscript<Value>(dynamicMember field: KeyPath<ItemFields, Value>) -> Value {
            fields[keyPath: field]
        }

        subscript<Value>(dynamicMember member: KeyPath<Members, Value>) -> Value {
            members[keyPath: member]
        }
    }

    /// The line of a setting whose value differs from the value in a new library.
    struct Setting: Codable, Sendable {
        /// The name.
        var setting: String
        var value: String
    }

    /// The line of a followed feed.
    ///
    /// The lines of the feed's entries follow.
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
        /// The options that the document does not contain, because they may be secrets.
        var omitted: [String]?
    }

    /// The line of an entry that the preceding feed has had and must not fetch again.
    struct Entry: Codable, Sendable {
        /// The names by which the feed recognizes the entry, the oldest first.
        var entry: [String]
        /// The time of publication in seconds since 1970.
        var published: Double
        /// The number of the entry's item among the item lines, from 1.
        var item: Int?
        /// Whether the entry's item has been removed.
        var removed: Bool?
        /// Whether the feed has fetched the item, absent if the user had the item before.
        var fetched: Bool?
    }

    /// The line of a collection, or of further items of the collection in the line before.
    struct Collection: Codable, Sendable {
        /// The name.
        var collection: String
        var createdAt: Date
        /// The numbers of the collection's items among the item lines, from 1, in order.
        var items: [Int]
    }

    /// The last line.
    struct End: Codable, Sendable {
        /// The number of items in the document.
        var items: Int
        /// The number of feeds in the document, absent in version 1.
        var feeds: Int?
        /// The number of collection lines in the document, absent without collections.
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
            // Each kind has a member that none of the kinds below has.
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

/// The options that are not secrets, and the names of the options that may be secrets.
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
    init(_ exported: ExportedItem, _ options: RequestOptions, subtitleFiles: [String]) {
        let item = exported.row.item
        let isFinished = [.ready, .missing, .unverified].contains(item.state)
        let shared = SharedOptions(options)
        fields = item.fields
        marks = exported.row.marks
        members = Members(
            address: item.origin.text,
            quality: item.choice.quality.description,
            audio: item.choice.audio == .all ? nil : item.choice.audio.description,
            subtitles: item.choice.subtitles == .all ? nil : item.choice.subtitles.description,
            keptChapters: item.choice.chapters?.description,
            allowPrivate: item.allowsPrivateAddresses ? true : nil,
            position: isFinished ? nil : item.position,
            referrer: options.referrer?.text,
            proxy: shared.proxy,
            checksum: options.checksum?.text,
            limit: options.limit?.rawValue,
            subtitleFiles: subtitleFiles.isEmpty ? nil : subtitleFiles,
            subtitleChecksums: exported.checksums.isEmpty ? nil : exported.checksums,
            chapters: exported.chapters.isEmpty ? nil : exported.chapters,
            omitted: shared.omitted
        )
    }
}
