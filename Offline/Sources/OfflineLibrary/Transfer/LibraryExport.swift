// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
import OfflineStore
import TidingsHTTP
import TidingsSQLite

/// Writes the list of a library, without the files, as lines of JSON.
///
/// The export reads one consistent state of the registry, even while another process has the
/// library open.
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

    /// The number of bytes to write at a time.
    private static let pieceSize = 256 << 10

    private let directory: LibraryDirectory

    /// Creates the export of a library, without reading anything yet.
    package init(_ directory: LibraryDirectory) {
        self.directory = directory
    }

    /// Writes all lines.
    ///
    /// - Parameter write: A closure that gets the pieces of the document, in order.
    /// - Returns: The counts of the exported content.
    /// - Throws: `SQLiteError`, with `.olderSchema` if the registry must be migrated first, and the
    ///   errors of `write`.
    package func run(_ write: @escaping (Data) throws -> Void) throws -> Report {
        var writer = LineWriter(pieceSize: Self.pieceSize, write: write)
        var report = Report()
        var lines = 0
        if let registry = try Registry.readOnly(in: directory), registry.hasTables {
            let reader = ExportReader(registry: registry)
            try reader.inOneState { lines = try self.write(reader, to: &writer, &report) }
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

    /// Writes the head and the content, and returns the number of collection lines.
    private func write(
        _ reader: ExportReader,
        to writer: inout LineWriter,
        _ report: inout Report
    ) throws -> Int {
        let registry = reader.registry
        let collections = try registry.collections.collections()
        try writer.add(
            LibraryDocument.Head(
                version: collections.isEmpty
                    ? LibraryDocument.versionWithoutCollections : LibraryDocument.version,
                exportedAt: Date(),
                catalog: try catalog(registry)
            )
        )
        let settings = try registry.preferences.settings()
        for key in SettingKey.allCases {
            let value = settings.text(of: key)
            guard value != DownloadSettings().text(of: key) else { continue }
            try writer.add(LibraryDocument.Setting(setting: key.rawValue, value: value))
        }
        // Feed entries and collections refer to items by these numbers.
        var numbers: [ItemID: Int] = [:]
        let collected = Set(collections.flatMap(\.items))
        let subtitles = directory.subtitlesByFilm()
        try reader.forEachItem { exported in
            let item = exported.row.item
            let line = LibraryDocument.Item(
                exported,
                (try? RequestOptions(stored: exported.row.options)) ?? RequestOptions(),
                subtitleFiles: item.fileName.map(subtitles) ?? []
            )
            try writer.add(line)
            report.items += 1
            if line.omitted != nil { report.withoutOptions += 1 }
            if exported.isInFeed || collected.contains(item.id) {
                numbers[item.id] = report.items
            }
        }
        for feed in try registry.feeds.feeds() {
            // If this version cannot read the options, the rest is still worth keeping.
            let line = LibraryDocument.Feed(
                feed,
                (try? registry.feeds.options(of: feed.id)) ?? RequestOptions()
            )
            try writer.add(line)
            report.feeds += 1
            if line.omitted != nil { report.withoutOptions += 1 }
            try reader.forEachEntry(of: feed.id) { entry in
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
        try registry.preferences.preference(CatalogPreference.key).address.map {
            LibraryDocument.Catalog(
                address: $0.address.text,
                allowPrivate: $0.allowsPrivateAddresses
            )
        }
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
