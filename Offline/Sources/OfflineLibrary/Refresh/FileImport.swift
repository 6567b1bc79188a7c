// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles

/// Imports a file of the library's media folder that belongs to no item.
struct FileImport: Sendable {
    let library: Library
    let name: String
    let size: Int64

    func run() async throws(DownloadError) -> MediaItem {
        let path = library.directory.mediaFile(name)
        do {
            let (kind, properties) = try await content(of: path)
            let item = try register(kind, properties)
            return try await addPicture(to: item, properties)
        } catch {
            throw DownloadError(error)
        }
    }

    /// Adds the picture last: without it the item is complete, too.
    private func addPicture(
        to item: MediaItem,
        _ properties: MediaProperties?
    ) async throws -> MediaItem {
        guard let media = library.path(of: item) else { return item }
        let picture = ItemPicture(path: library.directory.picture(of: item.id))
        guard await picture.make(of: media, properties) else { return item }
        return try library.journal.change(item.id, .picture(true)) ?? item
    }

    /// Inserts the row; the file keeps its name.
    ///
    /// A kill in between leaves an item that the next refresh finds again.
    private func register(
        _ kind: ContentKind,
        _ properties: MediaProperties?
    ) throws -> MediaItem {
        let journal = library.journal
        let origin = ItemOrigin.imported(name)
        let item = try journal.insert(
            DownloadRequest(origin),
            state: .missing,
            title: Title(origin: origin).text,
            at: Date()
        )
        do {
            return try complete(item, kind, properties)
        } catch {
            try? journal.remove(item.id)
            throw error
        }
    }

    private func complete(
        _ item: MediaItem,
        _ kind: ContentKind,
        _ properties: MediaProperties?
    ) throws -> MediaItem {
        let journal = library.journal
        if let chapters = properties?.chapters, !chapters.isEmpty {
            try journal.registry.setChapters(chapters, of: item.id)
        }
        try journal.change(
            item.id,
            .kind(.file),
            .file(name: name, size: size),
            .mediaType(kind.mediaType),
            .properties(
                duration: properties?.duration,
                width: properties?.video?.width,
                height: properties?.video?.height
            )
        )
        return try journal.move(item.id, .find, .readyAt(Date())) ?? item
    }

    /// Returns the kind of a file, and the properties of media.
    ///
    /// A file that is named as media must be media, also if its first bytes are those of no known
    /// kind.
    private func content(of path: String) async throws -> (ContentKind, MediaProperties?) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw DownloadError(.disk, "It cannot be read; check its permissions.")
        }
        let bytes = Array(try handle.read(upToCount: ContentSniffer.prefixLength) ?? Data())
        guard !bytes.isEmpty else {
            throw DownloadError(.notMedia, "It is empty. Copy it again, or delete it.")
        }
        let kind = ContentSniffer.kind(of: bytes)
        let named = ContentKind(mediaFileName: name)
        guard kind.isMedia || named != nil else { return (kind, nil) }
        return (kind.isMedia ? kind : named ?? kind, try await MediaProbe().probe(path))
    }
}

extension ContentKind {
    /// Extensions of media files that this program never gives.
    private static let otherExtensions: [String: ContentKind] = [
        "m4v": .mp4, "m4b": .m4a, "mka": .matroska, "m2ts": .mpegTS, "mts": .mpegTS, "oga": .ogg,
        "ogv": .ogg, "opus": .ogg,
    ]

    /// Creates the kind that the extension of a file of media names; nil for other names.
    fileprivate init?(mediaFileName name: String) {
        let name = name.lowercased()
        let kinds = ContentKind.allCases.filter(\.isMedia).map { ($0.fileExtension, $0) }
        let all = kinds + Self.otherExtensions.map { ($0.key, $0.value) }
        guard let kind = all.first(where: { name.hasSuffix(".\($0.0)") })?.1 else { return nil }
        self = kind
    }
}
