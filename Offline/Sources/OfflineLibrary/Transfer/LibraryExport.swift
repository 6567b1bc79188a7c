// SPDX-License-Identifier: Apache-2.0
package import Foundation
import TidingsHTTP
import TidingsSQLite

/// Writes the list of a library, without its files, as lines of JSON.
///
/// It reads the registry beside the process that has the library open, in one state.
package struct LibraryExport: Sendable {
    /// The result of an export.
    package struct Report: Hashable, Sendable {
        /// The number of items.
        package var items = 0
        /// The number of followed feeds.
        package var feeds = 0
        /// The number of collections.
        package var collections = 0
        /// The number of items and feeds with options that were left out.
        package var withoutOptions = 0
    }

    /// The number of bytes that are written at once.
    private static let pieceSize = 256 << 10

    private let directory: LibraryDirectory

    /// Names the library; nothing is read yet.
    package init(_ directory: LibraryDirectory) {
        self.directory = directory
    }

    /// Writes all lines.
    ///
    /// - Parameter write: Called with pieces of the text, in order.
    /// - Returns: The number of items.
    /// - Throws: `SQLiteError`; `.olderSchema` if the registry must be migrated first. Also the
    ///   errors of `write`.
    package func run(_ write: @escaping (Data) throws -> Void) throws -> Report {
        var writer = LineWriter(pieceSize: Self.pieceSize, write: write)
        var report = Report()
        var lines = 0
        if let registry = try Registry.readOnly(in: directory), registry.hasTables {
            try registry.inOneState { lines = try self.write(registry, to: &writer, &report) }
        } else {
            try writer.add(
                LibraryDocument.Head(
                    version: LibraryDocument.versionWithoutCollections,
                    exportedAt: Date()
                )
            )
        }
        try writer.add(
            LibraryDocument.End(
                items: report.items,
                feeds: report.feeds,
                collections: lines == 0 ? nil : lines
            )
        )
        try writer.finish()
        return report
    }

    /// Returns the number of lines of collections.
    private func write(
        _ registry: Registry,
        to writer: inout LineWriter,
        _ report: inout Report
    ) throws -> Int {
        let collections = try registry.collections()
        try writer.add(
            LibraryDocument.Head(
                version: collections.isEmpty
                    ? LibraryDocument.versionWithoutCollections : LibraryDocument.version,
                exportedAt: Date(),
                catalog: try catalog(registry)
            )
        )
        let settings = try registry.settings()
        for key in LibraryDocument.settings {
            let value = settings.text(of: key)
            guard value != DownloadSettings().text(of: key) else { continue }
            try writer.add(LibraryDocument.Setting(setting: key.rawValue, value: value))
        }
        // The numbers of the lines, by which entries of feeds and collections name their items.
        var numbers: [ItemID: Int] = [:]
        let collected = Set(collections.flatMap(\.items))
        let subtitles = directory.subtitlesByFilm()
        try registry.forEachItem { stored in
            let line = LibraryDocument.Item(
                stored,
                stored.options.flatMap(Self.options) ?? RequestOptions(),
                subtitleFiles: stored.item.fileName.map(subtitles) ?? []
            )
            try writer.add(line)
            report.items += 1
            if line.omitted != nil { report.withoutOptions += 1 }
            if stored.isInFeed || collected.contains(stored.item.id) {
                numbers[stored.item.id] = report.items
            }
        }
        for feed in try registry.feeds() {
            // Without options that this version cannot read, the rest is worth keeping.
            let line = LibraryDocument.Feed(
                feed,
                (try? registry.options(of: feed.id)) ?? RequestOptions()
            )
            try writer.add(line)
            report.feeds += 1
            if line.omitted != nil { report.withoutOptions += 1 }
            try registry.forEachEntry(of: feed.id) { entry in
                let item = entry.item.flatMap { numbers[$0] }
                try writer.add(
                    LibraryDocument.Entry(
                        entry: entry.names,
                        published: entry.published,
                        item: item,
                        removed: entry.item != nil && item == nil ? true : nil,
                        fetched: entry.isFetched ? true : nil
                    )
                )
            }
        }
        report.collections = collections.count
        return try write(collections, numbers, to: &writer)
    }

    /// Writes a long collection as several lines, because a line has a maximum size.
    private func write(
        _ collections: [MediaCollection],
        _ numbers: [ItemID: Int],
        to writer: inout LineWriter
    ) throws -> Int {
        var lines = 0
        for collection in collections {
            var rest = collection.items.compactMap { numbers[$0] }[...]
            repeat {
                try writer.add(
                    LibraryDocument.Collection(
                        collection: collection.name,
                        createdAt: collection.createdAt,
                        items: Array(rest.prefix(LibraryDocument.membersOfLine))
                    )
                )
                lines += 1
                rest = rest.dropFirst(LibraryDocument.membersOfLine)
            } while !rest.isEmpty
        }
        return lines
    }

    private func catalog(_ registry: Registry) throws -> LibraryDocument.Catalog? {
        try registry.preference(CatalogPreference.key).address.map {
            LibraryDocument.Catalog(
                address: $0.address.text,
                allowPrivate: $0.allowsPrivateAddresses
            )
        }
    }

    private static func options(_ stored: String) -> RequestOptions? {
        let texts = try? JSONDecoder().decode(RequestOptions.Texts.self, from: Data(stored.utf8))
        return texts.flatMap { try? RequestOptions($0) }
    }
}

/// Encodes lines and writes them in large pieces.
private struct LineWriter {
    let pieceSize: Int
    let write: (Data) throws -> Void
    private var buffer = Data()
    private let encoder: JSONEncoder

    init(pieceSize: Int, write: @escaping (Data) throws -> Void) {
        self.pieceSize = pieceSize
        self.write = write
        encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func add(_ line: some Encodable) throws {
        buffer.append(try encoder.encode(line))
        buffer.append(10)
        if buffer.count >= pieceSize { try finish() }
    }

    mutating func finish() throws {
        guard !buffer.isEmpty else { return }
        try write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
