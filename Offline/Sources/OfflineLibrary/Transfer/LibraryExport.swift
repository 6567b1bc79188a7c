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
        /// The number of items with options that were left out.
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
        let registry = try Registry.readOnly(in: directory)
        try writer.add(
            LibraryDocument.Head(exportedAt: Date(), catalog: try registry.flatMap(catalog))
        )
        var report = Report()
        let subtitles = directory.subtitlesByFilm()
        try registry?.forEachItem { stored in
            let line = LibraryDocument.Item(
                stored.item,
                stored.options.flatMap(Self.options) ?? RequestOptions(),
                sha256: stored.sha256,
                subtitleFiles: stored.item.fileName.map(subtitles) ?? []
            )
            try writer.add(line)
            report.items += 1
            if line.omitted != nil { report.withoutOptions += 1 }
        }
        try writer.add(LibraryDocument.End(items: report.items))
        try writer.finish()
        return report
    }

    private func catalog(_ registry: Registry) throws -> LibraryDocument.Catalog? {
        guard registry.hasTables else { return nil }
        return try registry.preference(CatalogPreference.key).address.map {
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
