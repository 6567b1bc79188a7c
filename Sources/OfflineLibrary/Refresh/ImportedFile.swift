// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Gives a file of the library's folder that has no entry an entry of its own.
struct ImportedFile: Sendable {
    let library: Library
    let name: String
    let size: Int64

    func run() async throws(DownloadError) -> MediaItem {
        let path = library.directory.mediaFile(name)
        do {
            let kind = try Self.kind(of: path)
            let facts = kind.isMedia ? try await MediaProbe().probe(path) : nil
            return try register(path, kind, facts)
        } catch {
            throw DownloadError(error)
        }
    }

    /// The row comes first and holds the final name, so that a kill leaves either the old file
    /// without an entry or an entry that the next refresh finds missing.
    private func register(
        _ path: String,
        _ kind: ContentKind,
        _ facts: MediaFacts?
    ) throws -> MediaItem {
        let journal = library.journal
        let source = MediaSource.imported(name)
        let item = try journal.insert(
            DownloadRequest(source),
            state: .missing,
            title: Title(source: source).text,
            at: Date()
        )
        do {
            return try take(path, as: item, kind, facts)
        } catch {
            try? journal.remove(item.id)
            throw error
        }
    }

    private func take(
        _ path: String,
        as item: MediaItem,
        _ kind: ContentKind,
        _ facts: MediaFacts?
    ) throws -> MediaItem {
        let journal = library.journal
        let own = "\(item.id).\(kind.fileExtension)"
        let final =
            own == name
            ? own
            : library.directory.freeMediaName(for: item.id, extension: kind.fileExtension)
        try journal.change(
            item.id,
            .kind(.file),
            .file(name: final, size: size),
            .mediaType(kind.mediaType),
            .facts(duration: facts?.duration, width: facts?.width, height: facts?.height)
        )
        try Disk.rename(path, to: library.directory.mediaFile(final))
        return try journal.change(item.id, .state(.ready), .readyAt(Date())) ?? item
    }

    private static func kind(of path: String) throws -> ContentKind {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw DownloadError(.disk, "It cannot be read; check its permissions.")
        }
        return ContentSniffer.kind(
            of: Array(try handle.read(upToCount: 4_096) ?? Data()),
            contentType: nil
        )
    }
}
