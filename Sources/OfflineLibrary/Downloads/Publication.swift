// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// The last steps of every download: check the file, sync it, give it its final name, record it.
struct Publication: Sendable {
    let environment: DownloadEnvironment
    let item: MediaItem

    private var id: ItemID { item.id }
    private var directory: LibraryDirectory { environment.directory }

    /// Puts a whole file of the work folder into the library.
    func run(_ path: String) async throws(DownloadError) -> MediaItem? {
        do {
            let journal = environment.journal
            try journal.change(id, .state(.verifying))
            let kind = try Self.kind(of: path, contentType: item.mediaType)
            let facts = try await check(path, kind)
            try await offload { () throws(DiskError) in try Disk.syncFile(path) }
            let hasPicture = await makePicture(of: path, facts)
            // One that was stopped half way is made at the next start.
            try Task.checkCancellation()
            guard let size = Disk.size(of: path) else {
                throw DownloadError(.disk, "The file vanished before it was finished. Try again.")
            }
            let name = directory.freeMediaName(for: id, extension: kind.fileExtension)
            // Recorded before the rename, so that a kill in between is seen for what it is.
            try journal.change(
                id,
                .file(name: name, size: size),
                .mediaType(kind.mediaType),
                .facts(duration: facts?.duration, width: facts?.width, height: facts?.height),
                .picture(hasPicture)
            )
            environment.reachCheckpoint(.beforeFinalRename)
            try await offload { () throws(DiskError) in
                try Disk.rename(path, to: directory.mediaFile(name))
            }
            environment.reachCheckpoint(.afterFinalRename)
            return try finish()
        } catch {
            throw DownloadError(error)
        }
    }

    /// Records an item as ready whose file had got its final name before the process died.
    ///
    /// - Returns: Nil when there is no such file.
    func recover() throws(DownloadError) -> MediaItem? {
        guard let name = item.fileName, let size = item.size,
            Disk.size(of: directory.mediaFile(name)) == size
        else { return nil }
        do {
            return try finish()
        } catch {
            throw DownloadError(error)
        }
    }

    private func finish() throws -> MediaItem? {
        let ready = try environment.journal.change(
            id,
            .state(.ready),
            .failure(nil),
            .readyAt(Date())
        )
        // What is left here after a kill is not looked at again.
        try environment.journal.registry.setSegments([], of: id)
        Disk.removeFolder(directory.work(of: id))
        return ready
    }

    private static func kind(of path: String, contentType: String?) throws -> ContentKind {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw DownloadError(.disk, "The downloaded file cannot be read. Try again.")
        }
        let prefix = try handle.read(upToCount: 4_096) ?? Data()
        return ContentSniffer.kind(of: Array(prefix), contentType: contentType)
    }

    /// Media is ready only if a demuxer can read it; other files are kept as they came.
    private func check(_ path: String, _ kind: ContentKind) async throws -> MediaFacts? {
        let type = item.mediaType ?? ""
        guard kind.isMedia || type.hasPrefix("video/") || type.hasPrefix("audio/") else {
            return nil
        }
        return try await MediaProbe().probe(path)
    }

    /// A picture is welcome, not needed: without one the page shows a drawn one.
    private func makePicture(of path: String, _ facts: MediaFacts?) async -> Bool {
        guard let facts else { return false }
        let picture = directory.picture(of: id)
        let seconds = min((facts.duration ?? 0) / 10, 30)
        do {
            try await Thumbnailer().makePicture(of: path, at: seconds, into: picture)
            return true
        } catch {
            try? Disk.removeFile(picture)
            return false
        }
    }
}
