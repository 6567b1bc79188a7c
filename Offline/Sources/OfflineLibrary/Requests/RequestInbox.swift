// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The requests of commands that found the library open in another process.
///
/// Each is a file in a folder of the library, so that no request is lost: neither when its command
/// ends, nor when the process that has the library open ends. That process makes items of the
/// requests when it opens the library and whenever one arrives.
package struct RequestInbox: Sendable {
    /// The maximum size of a request's file in bytes.
    private static let sizeLimit = 1 << 18
    private static let suffix = ".json"

    private let folder: String

    /// Names the inbox of a library; nothing is read or written yet.
    package init(_ directory: LibraryDirectory) {
        folder = directory.requests
    }

    /// Stores a request and returns its name after the disk has it.
    ///
    /// - Throws: `LibraryError` if the disk is full or not writable.
    package func add(_ request: StoredRequest) throws(LibraryError) -> String {
        // Names in the order of the requests, of which one command stores several at once.
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

    /// Removes a request; returns false if an item was made of it before.
    package func withdraw(_ name: String) throws(LibraryError) -> Bool {
        do {
            return try SystemFile.remove(path(name))
        } catch {
            throw LibraryError(error)
        }
    }

    /// Whether no item was made of a request yet.
    package func contains(_ name: String) -> Bool { SystemFile.exists(path(name)) }

    /// The stored requests with their names, the oldest first.
    ///
    /// A file that is no request is set aside under another name.
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
