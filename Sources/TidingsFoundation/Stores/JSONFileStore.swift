// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import Foundation
import TidingsFiles
public import TidingsResources

/// A store that keeps a resource's data as JSON in a file, with the time of the load.
///
/// The file is never half-written, because the store replaces the file in one step, after the new
/// content has reached the disk. The store renames an incomplete or foreign file, appending
/// `.damaged`, and never overwrites a file of a newer version of the program. Only the file's owner
/// can read the file. The store creates a missing folder. The store reads and writes on a private
/// serial queue.
///
/// ```swift
/// let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
/// let file = caches.appending(path: "lessons.json")
/// let lessons = Resource(store: JSONFileStore<[Lesson]>(at: file)) {
///     try await catalog.lessons()
/// }
/// ```
public final class JSONFileStore<Value: Codable & Sendable>: ResourceStore {
    private struct Header: Decodable {
        let version: Int
    }

    private struct Envelope: Codable {
        let version: Int
        /// The time of the load in milliseconds since 1 January 1970, UTC.
        let loadedAt: Int64?
        let value: Value
    }

    private let file: AtomicFile
    private let version: Int
    private let byteLimit: Int
    private let queue = DispatchQueue(label: "tidings.json-file-store")

    /// Creates a store, without access to the file.
    ///
    /// - Parameters:
    ///   - file: The location of the file.
    ///   - version: The version of the data's format. Raise the version when the format changes
    ///     incompatibly. `read()` then ignores older files.
    ///   - byteLimit: The maximum size of the file in bytes, by default 64 MiB.
    public init(at file: URL, version: Int = 1, byteLimit: Int = 64 << 20) {
        self.file = AtomicFile(path: file.path)
        self.version = version
        self.byteLimit = byteLimit
    }

    /// Returns the stored copy, or nil without a copy or with a copy of an older version.
    ///
    /// The time of the copy is exact to the millisecond.
    ///
    /// - Throws: ``JSONFileStoreError``.
    public func read() async throws -> StoredCopy<Value>? {
        try await onQueue { try self.readFile() }
    }

    /// Replaces the stored copy.
    ///
    /// - Throws: ``JSONFileStoreError``. The previous copy then stays in the file.
    public func write(_ copy: StoredCopy<Value>) async throws {
        try await onQueue { try self.writeFile(copy) }
    }

    /// Removes the stored copy and the files that the store has renamed.
    ///
    /// - Throws: ``JSONFileStoreError``.
    public func remove() async throws {
        try await onQueue {
            do throws(SystemError) {
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
    private func readFile() throws -> StoredCopy<Value>? {
        guard let content = try content() else { return nil }
        guard content.count <= byteLimit else { throw tooLarge("is") }
        do {
            let found = try JSONDecoder().decode(Header.self, from: content).version
            if found > version { throw newer(found) }
            if found < version { return nil }
            let envelope = try JSONDecoder().decode(Envelope.self, from: content)
            return StoredCopy(envelope.value, loadedAt: envelope.loadedAt.map { .milliseconds($0) })
        } catch let error as JSONFileStoreError {
            throw error
        } catch {
            _ = try? file.setAside(as: "damaged", limit: 9)
            throw self.error(
                .damaged,
                "is damaged. It was renamed, with “.damaged” appended.",
                cause: error
            )
        }
    }

    private func content() throws(JSONFileStoreError) -> Data? {
        do throws(SystemError) {
            return try file.read(limit: byteLimit)
        } catch {
            throw self.error(
                .notReadable,
                "cannot be read: \(error). Check its owner and permissions.",
                cause: error
            )
        }
    }

    private func writeFile(_ copy: StoredCopy<Value>) throws(JSONFileStoreError) {
        let content: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let loadedAt = copy.loadedAt.flatMap {
                Int64(exactly: ($0 / .milliseconds(1)).rounded(.down))
            }
            content = try encoder.encode(
                Envelope(version: version, loadedAt: loadedAt, value: copy.value)
            )
        } catch {
            throw self.error(.notEncodable, "cannot hold this value: \(error).", cause: error)
        }
        guard content.count <= byteLimit else { throw tooLarge("would be") }
        keepNewerVersion()
        do throws(SystemError) {
            try file.replace(with: content)
        } catch {
            throw writeError(error)
        }
    }

    func writeError(_ failure: SystemError) -> JSONFileStoreError {
        if failure.isFullDisk {
            let predicate = "cannot be written: the disk is full. Free some space."
            return error(.diskFull, predicate, cause: failure)
        }
        let predicate = "cannot be written: \(failure). Check the permissions of its folder."
        return error(.notWritable, predicate, cause: failure)
    }

    /// Renames a file of a newer version of the program, so that the write does not replace it.
    private func keepNewerVersion() {
        guard let content = try? file.read(limit: byteLimit), content.count <= byteLimit,
            let found = try? JSONDecoder().decode(Header.self, from: content).version,
            found > version
        else { return }
        _ = try? file.setAside(as: "version-\(found)", limit: 9)
    }

    private func newer(_ found: Int) -> JSONFileStoreError {
        error(
            .newerVersion,
            "has version \(found), and this program reads up to \(version). Update the program."
        )
    }

    private func tooLarge(_ verb: String) -> JSONFileStoreError {
        error(.tooLarge, "\(verb) larger than \(byteLimit) bytes. Raise `byteLimit` to allow it.")
    }

    private func error(
        _ code: JSONFileStoreError.Code,
        _ predicate: String,
        cause: (any Error)? = nil
    ) -> JSONFileStoreError {
        JSONFileStoreError(code, "The stored copy \(file.path) \(predicate)", cause: cause)
    }
}
