// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
package import OfflineModel
import Tidings
import TidingsFiles

/// Reads an exported library and checks each line before anything changes.
struct LibraryImport {
    private let directory: LibraryDirectory
    private let allowsPrivate: Bool
    private let decoder: JSONDecoder
    private var library = ImportedLibrary()

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - directory: The folder in which to look for the files of items.
    ///   - allowsPrivate: Whether the user permits the private addresses of the document.
    init(_ directory: LibraryDirectory, allowsPrivate: Bool) {
        self.directory = directory
        self.allowsPrivate = allowsPrivate
        decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
    }

    /// Returns the content of a document.
    ///
    /// - Throws: `LibraryError` with `.invalidImport`. The message contains the number of the line
    ///   and the remedy.
    mutating func read(_ lines: DocumentLines) throws(LibraryError) -> ImportedLibrary {
        var lines = lines
        var number = 1
        do {
            try readHead(try next(&lines))
            repeat {
                number += 1
                guard number <= LibraryDocument.maximumLines else {
                    throw ImportFault("The text has too many lines.")
                }
            } while try add(try decoder.decode(LibraryDocument.Line.self, from: next(&lines)))
            number += 1
            while let rest = try lines.next(limit: LibraryDocument.longestLine) {
                guard rest.allSatisfy({ $0 == 10 || $0 == 13 || $0 == 32 }) else {
                    throw ImportFault(
                        "The text goes on after its last line. Import one export at a time."
                    )
                }
            }
            return library
        } catch {
            throw Self.failure(error, line: number)
        }
    }

    /// Adds a line, and returns whether another line follows.
    private mutating func add(_ line: LibraryDocument.Line) throws -> Bool {
        switch line {
        case .setting(let setting): try library.add(setting)
        case .item(let item):
            guard library.feeds.isEmpty, library.collections.lines == 0 else {
                throw ImportFault("The items come before the feeds and the collections.")
            }
            library.items.append(
                try ImportedItem(item, in: directory, allowsPrivate: allowsPrivate)
            )
        case .feed(let feed):
            library.feeds.append(try ImportedFeed(feed, allowsPrivate: allowsPrivate))
        case .entry(let entry):
            guard let last = library.feeds.indices.last else {
                throw ImportFault("An entry belongs to the feed before it, and there is none.")
            }
            library.feeds[last].entries.append(try .init(entry, items: library.items.count))
        case .collection(let collection):
            try library.collections.add(collection, items: library.items.count)
        case .end(let end):
            guard end.items == library.items.count else {
                throw ImportFault(
                    "The text has \(library.items.count) items instead of \(end.items)."
                )
            }
            guard (end.feeds ?? 0) == library.feeds.count else {
                throw ImportFault(
                    "The text has \(library.feeds.count) feeds instead of \(end.feeds ?? 0)."
                )
            }
            let lines = library.collections.lines
            guard (end.collections ?? 0) == lines else {
                throw ImportFault(
                    "The text has \(lines) lines of collections instead of "
                        + "\(end.collections ?? 0)."
                )
            }
            return false
        }
        return true
    }

    private func next(_ lines: inout DocumentLines) throws -> Data {
        guard let line = try lines.next(limit: LibraryDocument.longestLine) else {
            throw ImportFault("The text ends before its last line.")
        }
        guard line.count <= LibraryDocument.longestLine else {
            throw ImportFault("It has more than \(LibraryDocument.longestLine >> 10) KiB.")
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
            throw ImportFault("This is not a library that `offline export` wrote.")
        }
        guard (1...LibraryDocument.version).contains(format.version) else {
            throw ImportFault(
                "Its version is \(format.version), but this program reads versions up to "
                    + "\(LibraryDocument.version). Install the program that wrote it."
            )
        }
        let head = try decoder.decode(LibraryDocument.Head.self, from: line)
        if let found = head.catalog {
            let isPrivate = found.allowPrivate && allowsPrivate
            let prefix = isPrivate ? "private " : "public "
            guard let known = CatalogPreference(rawValue: prefix + found.address) else {
                throw ImportFault("The address of the catalog is invalid.")
            }
            library.catalog = known.address
        }
    }

    private static func text(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): return "The member “\(key.stringValue)” is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            guard let key = context.codingPath.last else { return "It is no object of JSON." }
            return "The member “\(key.stringValue)” has a wrong value."
        case .dataCorrupted(let context):
            guard let key = context.codingPath.last else { return "It is no JSON." }
            return "The member “\(key.stringValue)” has a wrong value."
        @unknown default: return "It is no JSON, or a member is missing or wrong."
        }
    }

    private static func failure(_ error: any Error, line: Int) -> LibraryError {
        let fault =
            switch error {
            case let error as ImportFault: error.message
            case let error as DecodingError: text(of: error)
            case let error as SystemError: "It cannot be read (\(error.reason))."
            default: "\(error)"
            }
        return LibraryError(
            .invalidImport,
            "Line \(line) of the import: \(fault) Nothing was changed. Correct the text, or export "
                + "the library again.",
            cause: error
        )
    }
}

extension Library {
    /// Adds the content of an exported library in one transaction.
    ///
    /// The import starts no download.
    ///
    /// The library keeps what is already there. An item stays as it is if the address and choice
    /// are the same, or if the name and size of the file are the same. A feed with the same address
    /// gets only the entries that are new to the feed. A collection with the same name gets the
    /// missing items at the end. Settings that have a value do not change, and neither does a
    /// chosen catalog. A second import changes nothing.
    ///
    /// - Parameters:
    ///   - lines: The lines of the document.
    ///   - allowsPrivate: Whether items, feeds and the catalog keep the permission for private
    ///     addresses.
    /// - Returns: The counts of imported and already known content.
    /// - Throws: `LibraryError` with `.invalidImport`. Nothing has changed in this case.
    @concurrent
    package func importItems(
        _ lines: sending DocumentLines,
        allowsPrivate: Bool = false
    ) async throws(LibraryError) -> ImportReport {
        var reader = LibraryImport(
            directory,
            allowsPrivate: allowsPrivate || configuration.allowsPrivateAddresses
        )
        let found = try reader.read(lines)
        let (report, feeds) = try LibraryError.rethrowing {
            try journal.insert(found, at: configuration.now())
        }
        if let address = found.catalog, catalog.address == nil {
            try catalog.setAddress(address)
        }
        if report.settings > 0 { await queue.applySettings() }
        for id in feeds { self.feeds.schedule(id, at: configuration.now()) }
        importWork.wake()
        return report
    }
}
