// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import Foundation
public import Tidings

/// A store that keeps a resource's data as JSON in a file.
///
/// The file is always whole: it is replaced in one step, after the new content has reached the
/// disk. A file that is torn or foreign is set aside, beside it, with `.damaged` at its name, and
/// one of a newer version of the program is never lost. The file belongs to its owner alone; the
/// folder is made when it is missing. Files are read and written on a queue of their own.
///
/// ```swift
/// let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
/// let file = caches.appending(path: "lessons.json")
/// let lessons = Resource(store: JSONFileStore<[Lesson]>(at: file)) {
///     try await catalogue.lessons()
/// }
/// ```
public final class JSONFileStore<Value: Codable & Sendable>: ResourceStore {
    private struct Header: Decodable {
        let version: Int
    }

    private struct Envelope: Codable {
        let version: Int
        let value: Value
    }

    private let file: StoredFile
    private let version: Int
    private let byteLimit: Int
    private let queue = DispatchQueue(label: "tidings.json-file-store")

    /// Creates a store; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - file: Where the data is kept.
    ///   - version: The version of the data's form. Raise it when older files cannot be read any
    ///     more: they count as nothing then.
    ///   - byteLimit: How large the file may be; 64 MiB, unless stated.
    public init(at file: URL, version: Int = 1, byteLimit: Int = 64 << 20) {
        self.file = StoredFile(path: file.path)
        self.version = version
        self.byteLimit = byteLimit
    }

    /// Returns what is stored; nil if nothing is, or only something of an older version.
    ///
    /// - Throws: ``JSONFileStoreError``.
    public func read() async throws -> Value? {
        try await onQueue { try self.readFile() }
    }

    /// Stores a value in place of another.
    ///
    /// - Throws: ``JSONFileStoreError``; what was stored before is still there then.
    public func write(_ value: Value) async throws {
        try await onQueue { try self.writeFile(value) }
    }

    /// Forgets what is stored, and what was set aside.
    ///
    /// - Throws: ``JSONFileStoreError``.
    public func remove() async throws {
        try await onQueue {
            do throws(SystemFailure) {
                try self.file.remove()
            } catch {
                throw self.error(.notWritable, "cannot be removed: \(error)", cause: error)
            }
        }
    }

    private func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }
}

extension JSONFileStore {
    private func readFile() throws -> Value? {
        guard let content = try content() else { return nil }
        guard content.count <= byteLimit else { throw tooLarge("is") }
        do {
            let found = try JSONDecoder().decode(Header.self, from: content).version
            if found > version { throw newer(found) }
            if found < version { return nil }
            return try JSONDecoder().decode(Envelope.self, from: content).value
        } catch let error as JSONFileStoreError {
            throw error
        } catch {
            try? file.setAside(as: "damaged")
            throw self.error(
                .damaged,
                "is damaged. It was set aside with “.damaged” at its name.",
                cause: error
            )
        }
    }

    private func content() throws(JSONFileStoreError) -> Data? {
        do throws(SystemFailure) {
            return try file.read(limit: byteLimit)
        } catch {
            throw self.error(
                .notReadable,
                "cannot be read: \(error). Look at its owner and its rights.",
                cause: error
            )
        }
    }

    private func writeFile(_ value: Value) throws(JSONFileStoreError) {
        let content: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            content = try encoder.encode(Envelope(version: version, value: value))
        } catch {
            throw self.error(.notEncodable, "cannot hold this value: \(error).", cause: error)
        }
        guard content.count <= byteLimit else { throw tooLarge("would be") }
        keepNewerVersion()
        do throws(SystemFailure) {
            try file.replace(with: content)
        } catch {
            throw writeError(error)
        }
    }

    func writeError(_ failure: SystemFailure) -> JSONFileStoreError {
        if failure.isFullDisk {
            return error(.diskFull, "finds no room on the disk. Make some.", cause: failure)
        }
        let predicate = "cannot be written: \(failure). Look at the rights of its folder."
        return error(.notWritable, predicate, cause: failure)
    }

    /// Moves a file out of the way that a newer version of the program will want to find again.
    private func keepNewerVersion() {
        guard let content = try? file.read(limit: byteLimit), content.count <= byteLimit,
            let found = try? JSONDecoder().decode(Header.self, from: content).version,
            found > version
        else { return }
        try? file.setAside(as: "version-\(found)")
    }

    private func newer(_ found: Int) -> JSONFileStoreError {
        error(
            .newerVersion,
            "is of version \(found), and this program reads up to \(version). Update the program."
        )
    }

    private func tooLarge(_ verb: String) -> JSONFileStoreError {
        error(.tooLarge, "\(verb) larger than \(byteLimit) bytes. Raise `byteLimit` if it may be.")
    }

    private func error(
        _ code: JSONFileStoreError.Code,
        _ predicate: String,
        cause: (any Error)? = nil
    ) -> JSONFileStoreError {
        JSONFileStoreError(code, "The stored copy \(file.path) \(predicate)", cause: cause)
    }
}
