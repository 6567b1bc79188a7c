// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Tidings
import TidingsSQLite

extension Library {
    /// Returns an item with its progress and the facts that only its own request shows.
    ///
    /// Lists of items omit them: a library may have many.
    ///
    /// - Throws: `LibraryError` with `.notFound` if there is no such item.
    package func details(of id: ItemID) async throws(LibraryError) -> ItemRepresentation {
        let item = try item(id)
        let (registry, directory) = (journal.registry, directory)
        let result = representation(of: item)
        do {
            return try await performBlocking { () throws(SQLiteError) in
                var result = result
                try result.addDetails(from: registry, in: directory)
                return result
            }
        } catch {
            throw LibraryError(error)
        }
    }

    /// Reads the tracks of a finished file; none of a file that is no media, or cannot be read.
    ///
    /// - Throws: `LibraryError` with `.notFound` if there is no such item.
    package func tracks(of id: ItemID) async throws(LibraryError) -> [TrackRepresentation] {
        let item = try item(id)
        guard item.state == .ready, let name = item.fileName, ContentKind.isMedia(fileName: name)
        else { return [] }
        let media = try? await MediaProbe().probe(directory.mediaFile(name))
        return TrackRepresentation.list(media?.tracks ?? [])
    }

    /// Returns subtitles of a finished film as WebVTT.
    ///
    /// - Parameters:
    ///   - number: The number of the file among those of the film, from 1.
    ///   - id: The film.
    /// - Returns: The bytes of the file.
    /// - Throws: `LibraryError` with `.notFound` if there are none, and `.unreadableSubtitles`.
    package func subtitles(
        _ number: Int,
        of id: ItemID
    ) async throws(LibraryError) -> Data {
        let item = try item(id)
        let directory = directory
        do throws(MediaError) {
            let content = try await performBlocking { () throws(MediaError) -> Data? in
                guard item.state == .ready, let film = item.fileName else { return nil }
                let files = directory.subtitleFiles(of: film)
                guard files.indices.contains(number - 1) else { return nil }
                let path = directory.mediaFile(files[number - 1].name)
                let limit = SubtitleLimits().textBytes
                let file = try OwnedDescriptor.reading(path)
                let bytes = try file.bytes(limit + 1, path: path)
                guard bytes.count <= limit else {
                    throw MediaError(
                        .tooLarge,
                        "They have more than \(limit >> 20) MiB, the limit."
                    )
                }
                return try files[number - 1].webVTT(of: bytes)
            }
            if let content { return content }
        } catch {
            throw LibraryError(
                .unreadableSubtitles,
                "The subtitles cannot be shown. \(error.message)",
                cause: error
            )
        }
        throw LibraryError(
            .notFound,
            "Item \(id) has no subtitles \(number). `offline show \(id)` lists them."
        )
    }
}
