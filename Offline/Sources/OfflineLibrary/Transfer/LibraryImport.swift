// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// The result of an import.
package struct ImportReport: Hashable, Sendable, Codable {
    /// The number of items that the text has.
    package var items = 0
    /// The number of items that the library had already.
    package var known = 0
    /// The number of new items whose files are in the library's folder.
    package var ready = 0
    /// The number of new items whose files are not there.
    package var missing = 0
    /// The number of new items whose downloads were not complete.
    package var unfinished = 0
    /// The number of items whose headers, cookies or proxies the text does not contain.
    package var withoutOptions = 0
}

/// Reads an exported library and checks each line before anything changes.
struct LibraryImport {
    private let directory: LibraryDirectory
    private let decoder: JSONDecoder
    private(set) var catalog: CatalogAddress?

    init(_ directory: LibraryDirectory) {
        self.directory = directory
        decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
    }

    /// Returns the items of a text.
    ///
    /// - Throws: `LibraryError` with `.invalidImport`, the number of the line and the remedy.
    mutating func items(_ lines: DocumentLines) throws(LibraryError) -> [ImportedItem] {
        var lines = lines
        var items: [ImportedItem] = []
        var number = 1
        do {
            try readHead(try next(&lines))
            while true {
                number += 1
                let line = try next(&lines)
                if let end = try? decoder.decode(LibraryDocument.End.self, from: line) {
                    guard end.items == items.count else {
                        throw ImportedItem.Fault(
                            "The text has \(items.count) items instead of \(end.items)."
                        )
                    }
                    return items
                }
                guard items.count < LibraryDocument.maximumItems else {
                    throw ImportedItem.Fault(
                        "It has more than \(LibraryDocument.maximumItems) items."
                    )
                }
                let item = try decoder.decode(LibraryDocument.Item.self, from: line)
                items.append(try ImportedItem(item, in: directory))
            }
        } catch {
            throw Self.failure(error, line: number)
        }
    }

    private func next(_ lines: inout DocumentLines) throws -> Data {
        guard let line = try lines.next(limit: LibraryDocument.longestLine) else {
            throw ImportedItem.Fault("The text ends before its last line.")
        }
        guard line.count <= LibraryDocument.longestLine else {
            throw ImportedItem.Fault(
                "It has more than \(LibraryDocument.longestLine >> 10) KiB."
            )
        }
        return line
    }

    private mutating func readHead(_ line: Data) throws {
        struct Format: Decodable {
            var format: String
            var version: Int
        }
        let format = try? decoder.decode(Format.self, from: line)
        guard let format, format.format == LibraryDocument.format else {
            throw ImportedItem.Fault("This is not a library that `offline export` wrote.")
        }
        guard format.version == LibraryDocument.version else {
            throw ImportedItem.Fault(
                "Its version is \(format.version), but this program reads version "
                    + "\(LibraryDocument.version). Install the program that wrote it."
            )
        }
        let head = try decoder.decode(LibraryDocument.Head.self, from: line)
        if let found = head.catalog {
            let prefix = found.allowPrivate ? "private " : "public "
            guard let known = CatalogPreference(rawValue: prefix + found.address) else {
                throw ImportedItem.Fault("The address of the catalog is invalid.")
            }
            catalog = known.address
        }
    }

    private static func failure(_ error: any Error, line: Int) -> LibraryError {
        let fault =
            switch error {
            case let error as ImportedItem.Fault: error.message
            case is DecodingError: "It is not the JSON of an item."
            default: "\(error)"
            }
        return LibraryError(
            .invalidImport,
            "Line \(line) of the import: \(fault) Nothing was changed. Export the library again, or "
                + "remove the line and correct the number in the last one.",
            cause: error
        )
    }
}

extension Library {
    /// Adds the items of an exported library in one transaction; starts no download.
    ///
    /// An item that the library has already stays as it is: one of the same address and choice,
    /// or with a file of the same name and size. The catalog is set if none is chosen.
    ///
    /// - Throws: `LibraryError` with `.invalidImport`; nothing has changed then.
    @concurrent
    package func importItems(
        _ lines: sending DocumentLines
    ) async throws(LibraryError) -> ImportReport {
        var reader = LibraryImport(directory)
        let items = try reader.items(lines)
        let report: ImportReport
        do {
            report = try journal.insert(items)
        } catch {
            throw LibraryError(error)
        }
        if let address = reader.catalog, catalog.address == nil {
            try catalog.setAddress(address)
        }
        return report
    }
}
