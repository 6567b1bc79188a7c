// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles

/// The requests of commands that found the library open in another process.
///
/// Each request is a file in a folder of the library. The request therefore survives the end of the
/// command and the end of the process that has the library open. That process creates items from
/// the requests when opening the library and whenever a request arrives.
package struct RequestInbox: Sendable {
    /// The maximum size of a request's file in bytes.
    private static let sizeLimit = 1 << 18
    private static let suffix = ".json"

    private let folder: String

    /// Creates the inbox of a library, without reading or writing anything yet.
    package init(_ directory: LibraryDirectory) {
        folder = directory.requests
    }

    /// Stores a request, and returns the request's name after the file is on the disk.
    ///
    /// - Throws: `LibraryError` if the disk is full or not writable.
    package func add(_ request: StoredRequest) throws(LibraryError) -> String {
        // The names follow the order of the requests, because one command may store several
        // requests.
        let time = Int64(request.date.timeIntervalSince1970 * 1_000_000)
        let name = "\(time)-\(UUID().uuidString.lowercased())"
        do {
            try SystemFile.makeFolder(folder)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            let content = try encoder.encode(request)
            try AtomicFile(path: path(name)).replace(with: content)
        } catch let error as SystemError {
            throw LibraryError(
                .cannotOpen,
                "The request cannot be stored (\(error.descriptionWithPath)). Free some space or "
                    + "check the permissions of the library's folder, then try again.",
                cause: error
            )
        } catch {
            throw LibraryError(error)
        }
        return name
    }

    /// Removes a request, and returns false if the request has already become an item.
    package func withdraw(_ name: String) throws(LibraryError) -> Bool {
        try LibraryError.rethrowing { try SystemFile.remove(path(name)) }
    }

    /// Returns whether a request has not become an item yet.
    package func contains(_ name: String) -> Bool { SystemFile.exists(path(name)) }

    /// Returns the stored requests with their names, the oldest first.
    ///
    /// A file that is not a request is set aside under another name.
    func requests() -> [(name: String, request: StoredRequest)] {
        let names = SystemFile.names(in: folder)
            .filter { $0.hasSuffix(Self.suffix) }
            .map { String($0.dropLast(Self.suffix.count)) }
        return names.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
            .compactMap { name in request(name).map { (name, $0) } }
    }

    private func request(_ name: String) -> StoredRequest? {
        switch SystemFile.content(of: path(name), limit: Self.sizeLimit) {
        case .missing, .unavailable:
            return nil
        case .whole(let data):
            if let request = try? JSONDecoder().decode(StoredRequest.self, from: data) {
                return request
            }
        case .foreign, .unusable:
            break
        }
        _ = try? AtomicFile(path: path(name)).setAside(as: "damaged")
        return nil
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)\(Self.suffix)" }
}
