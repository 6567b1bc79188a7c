// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineMedia
package import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite

/// A file that a user uploads.
///
/// The file enters the library once and complete, or not at all.
///
/// The hidden file disappears with `cancel`, after a failure and, after a kill, at the next start.
/// Callers call the methods one after the other, except `cancel`, which is safe from any thread.
package final class Upload: Sendable {
    /// The number of received bytes after which the data is flushed to the disk.
    private static let syncBytes: Int64 = 64 << 20

    /// The item of a finished upload.
    package struct Result: Sendable {
        /// The item with the content of the file.
        package let item: MediaItem
        /// Whether the item is new.
        ///
        /// Otherwise the library already had the content.
        package let isNew: Bool
    }

    private struct State {
        var name: String
        var count: Int64 = 0
        var isOver = false
    }

    let name: UploadName
    let library: Library
    /// The place of subtitles beside the film, or nil for any other file.
    private let place: Place?
    private let size: Int64
    private let file: FileDescriptor
    private let state: Lock<State>

    var directory: LibraryDirectory { library.directory }
    /// The path of the hidden file.
    var path: String { directory.mediaFile(state.withLock(\.name)) }

    /// Creates the hidden file, allocates the space on the disk and takes over a place of the
    /// uploads.
    init(
        _ name: UploadName,
        size: Int64,
        to library: Library,
        at place: Place?
    ) throws(LibraryError) {
        (self.name, self.size, self.library, self.place) = (name, size, library, place)
        let part = PartialUploads.makeName()
        let path = library.directory.mediaFile(part)
        state = Lock(State(name: part))
        do throws(SystemError) {
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
            let file = try FileDescriptor(path, flags, FileDescriptor.ordinaryRights)
            let number = posix_fallocate(file.number, 0, off_t(size))
            let refusal = SystemError("fallocate", path: path, number: number)
            // If the file system cannot allocate the space in advance, a later write reports a full
            // disk.
            if refusal.isFullDisk { throw refusal }
            self.file = file
        } catch {
            _ = try? SystemFile.remove(path)
            throw Self.failure(error, of: name)
        }
    }

    deinit { cancel() }

    /// Appends bytes, and blocks while writing to the disk.
    ///
    /// - Throws: `LibraryError`. The upload is over after an error.
    package func append(_ bytes: [UInt8]) throws(LibraryError) {
        let offset = state.withLock(\.count)
        do throws(SystemError) {
            try file.write(bytes)
            let count = offset + Int64(bytes.count)
            // With regular flushes, the last bytes need not wait for all earlier bytes.
            if count / Self.syncBytes > offset / Self.syncBytes { try file.sync() }
            state.withLock { $0.count = count }
        } catch {
            cancel()
            throw Self.failure(error, of: name)
        }
    }

    /// Checks the file as an import does, and makes the file an item.
    ///
    /// - Returns: The new item, or an existing item with the same content.
    /// - Throws: `LibraryError`, with `.incomplete` if bytes are missing, `.notMedia` if the file
    ///   cannot be played, `.diskFull`, and `.unavailable`. Nothing is left of the upload after an
    ///   error.
    package func finish() async throws(LibraryError) -> Result {
        defer { cancel() }
        do {
            let count = state.withLock(\.count)
            guard count == size else { throw incomplete(count) }
            let file = file
            try await performBlocking { () throws(SystemError) in try file.sync() }
            if let place {
                try await performBlocking { try self.checkSubtitles(place.file.format) }
                return try await named { try self.enter(at: place, $0) }
            }
            let (kind, isMedia) = try await performBlocking {
                let content = try ImportedFile.content(of: self.path, self.name.text)
                try self.addExtension(self.name.fileExtension(content.kind))
                return content
            }
            let properties = isMedia ? try await properties() : nil
            let result = try await named { try self.enter($0) }
            guard result.isNew, isMedia else { return result }
            // Without properties, the background work checks the item later.
            if let properties, let name = result.item.fileName {
                let check = ImportCheck(journal: library.journal, directory: directory)
                _ = try check.finish(
                    result.item,
                    name: name,
                    size: size,
                    kind: kind,
                    properties: properties
                )
            }
            library.importWork.wake()
            return Result(item: try library.item(result.item.id), isNew: true)
        } catch {
            throw Self.failure(error, of: name)
        }
    }

    /// Removes the received data, unless the file is in the library.
    package func cancel() {
        let path = state.withLock { state -> String? in
            defer { state.isOver = true }
            return state.isOver ? nil : directory.mediaFile(state.name)
        }
        guard let path else { return }
        library.uploadPlaces.release()
        _ = try? SystemFile.remove(path)
    }

    /// Returns the properties of media, or nil if the media cannot be read now.
    private func properties() async throws -> MediaProperties? {
        do throws(MediaError) {
            return try await MediaProbe().probe(path)
        } catch  where error.code == .cancelled {
            throw CancellationError()
        } catch  where error.code.isIndependentOfMedia {
            return nil
        }
    }

    /// Adds the extension of the later name to the hidden file.
    private func addExtension(_ end: String) throws(SystemError) {
        let former = state.withLock(\.name)
        try SystemFile.rename(
            directory.mediaFile(former),
            to: directory.mediaFile("\(former).\(end)")
        )
        state.withLock { $0.name = "\(former).\(end)" }
    }

    /// Runs work that names files, for one upload after the other.
    private func named(
        _ work: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        try await performCancellable { flag in
            try self.library.uploadPlaces.naming.sync { try work(flag) }
        }
    }

    /// Makes the file an item, unless an item already has the content.
    private func enter(_ flag: CancellationFlag) throws -> Result {
        guard let twin = try twin(flag) else { return Result(item: try insert(), isNew: true) }
        try library.journal.keep(twin.id)
        return Result(item: twin, isNew: false)
    }

    private func insert() throws -> MediaItem {
        let part = state.withLock(\.name)
        let number = SystemFile.number(of: path)
        let imported = try ImportedFile(
            part,
            size: size,
            in: directory,
            sent: .init(name: name.text, number: number, directory: directory)
        )
        let inserted = try library.space.commit { () throws(SQLiteError) in
            try library.journal.insert([imported], at: Date()).first
        }
        guard let item = inserted else { throw CancellationError() }
        // If the process is killed after the commit, the next start finishes the move.
        do {
            guard let moved = try RenamedFiles(library).finish(item.id) else {
                throw LibraryError(noItem: item.id)
            }
            return moved
        } catch {
            try library.journal.remove(item.id)
            throw error
        }
    }

    /// Returns an item whose file has the same content.
    private func twin(_ flag: CancellationFlag) throws -> MediaItem? {
        try library.journal.items.items(ofSize: size).first { item in
            guard let name = item.fileName else { return false }
            return try hasContent(of: directory.mediaFile(name), flag)
        }
    }

    /// Whether another file has the same bytes.
    ///
    /// The result is false if the other file cannot be read.
    func hasContent(of other: String, _ flag: CancellationFlag) throws -> Bool {
        guard let other = try? FileDescriptor(other, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? other.status(), Int64(status.st_size) == size
        else { return false }
        var own = [UInt8](repeating: 0, count: 1 << 20)
        var others = own
        var offset: off_t = 0
        while offset < off_t(size) {
            try flag.check()
            let count = pread(file.number, &own, own.count, offset)
            guard count > 0 else { throw SystemError("read", path: path) }
            guard pread(other.number, &others, count, offset) == count,
                own[..<count] == others[..<count]
            else { return false }
            offset += off_t(count)
        }
        return true
    }

    private func incomplete(_ count: Int64) -> LibraryError {
        LibraryError(
            .incomplete,
            "\(name.quoted) did not arrive as a whole: \(count) of \(size) bytes. Try again."
        )
    }

    private static func failure(_ error: any Error, of name: UploadName) -> LibraryError {
        switch error {
        case is CancellationError: .stopping
        case let error as MediaError:
            LibraryError(
                .notMedia,
                "\(name.quoted) cannot be kept. "
                    + error.message(remedy: "Copy it again, or choose another file."),
                cause: error
            )
        case let error as DownloadError where error.code == .notMedia:
            LibraryError(.notMedia, "\(name.quoted) cannot be kept. \(error.message)", cause: error)
        default: LibraryError(error)
        }
    }
}
