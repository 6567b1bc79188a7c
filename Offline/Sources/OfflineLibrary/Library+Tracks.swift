// SPDX-License-Identifier: Apache-2.0
package import Foundation
import OfflineDownloads
package import OfflineMedia
package import OfflineModel
import Tidings
import TidingsSQLite

extension Library {
    /// Returns an item with the progress and the details that only a request for this item shows.
    ///
    /// Lists of items omit the details, because a library may have many items.
    ///
    /// - Throws: `LibraryError` with `.notFound` if the item does not exist.
    package func details(of id: ItemID) async throws(LibraryError) -> ItemRepresentation {
        let item = try item(id)
        let (records, directory) = (journal.files, directory)
        let result = representation(of: item)
        do {
            return try await performBlocking { () throws(SQLiteError) in
                var result = result
                try result.addDetails(from: records, in: directory)
                return result
            }
        } catch {
            throw LibraryError(error)
        }
    }

    /// Returns the tracks of a finished file, or no tracks if the file is not media or cannot be
    /// read.
    ///
    /// - Throws: `LibraryError` with `.notFound` if the item does not exist.
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
    ///   - number: The number of the file among the subtitles of the film, starting at 1.
    ///   - id: The film.
    /// - Returns: The bytes of the file.
    /// - Throws: `LibraryError` with `.notFound` if the subtitles do not exist, and with
    ///   `.unreadableSubtitles`.
    package func subtitles(_ number: Int, of id: ItemID) async throws(LibraryError) -> Data {
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
