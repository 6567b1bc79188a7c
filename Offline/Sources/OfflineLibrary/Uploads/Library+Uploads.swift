// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
import OfflineMedia
package import OfflineModel
import OfflineStore
import Tidings

extension Library {
    /// The ways to add a user's files.
    package var uploads: LibraryUploads { LibraryUploads(library: self) }
}

/// The ways to add a user's files to a library.
package struct LibraryUploads: Sendable {
    let library: Library

    /// Checks that the library could receive a user's file now.
    ///
    /// - Throws: `LibraryError` with `.notMedia` for an empty file, or `.diskFull`.
    package func check(_ name: String, size: Int64) throws(LibraryError) {
        let name = UploadName(name)
        guard size > 0 else {
            throw LibraryError(
                .notMedia,
                "\(name.quoted) is empty. Copy it again, or choose another file."
            )
        }
        guard let free = library.space.free, size > free else { return }
        throw LibraryError(
            .diskFull,
            "The disk is full: \(name.quoted) has \(ByteCount.text(size)), and "
                + "\(ByteCount.text(max(0, free))) are free in \(library.directory.media). Free some "
                + "space, then try again."
        )
    }

    /// Starts to receive a user's file, as soon as fewer than four other uploads are running.
    ///
    /// - Parameters:
    ///   - name: The name of the file, which may contain anything.
    ///   - size: The number of bytes.
    ///   - film: The film to which a subtitle file with the film's name belongs, or nil for any
    ///     other file.
    /// - Returns: The upload, for which the space on the disk is allocated.
    /// - Throws: `LibraryError` as from `check`, with `.unavailable` if the library is
    ///   stopping, and with `.notFound` or `.invalidName` for subtitles.
    package func begin(
        _ name: String,
        size: Int64,
        beside film: ItemID? = nil
    ) async throws(LibraryError) -> Upload {
        let place = try place(of: name, size: size, beside: film)
        try check(name, size: size)
        do {
            try await library.uploadPlaces.take()
        } catch {
            throw .stopping
        }
        do throws(LibraryError) {
            return try await performBlocking { () throws(LibraryError) in
                try check(name, size: size)
                return try Upload(UploadName(name), size: size, to: library, at: place)
            }
        } catch {
            library.uploadPlaces.release()
            throw error
        }
    }

    private func place(
        of name: String,
        size: Int64,
        beside id: ItemID?
    ) throws(LibraryError) -> Upload.Place? {
        guard let id else { return nil }
        guard let film = try library.item(id).fileName, ContentKind.isMedia(fileName: film),
            let file = SubtitleFile(name, beside: film)
        else {
            throw LibraryError(
                .invalidName,
                "\(UploadName(name).quoted) is not the name of subtitles of this film. Name it as "
                    + "the film, with a language and .vtt or .srt."
            )
        }
        let limit = SubtitleLimits().textBytes
        guard size <= limit else {
            throw LibraryError(
                .notMedia,
                "\(UploadName(name).quoted) has \(ByteCount.text(size)), and subtitles have at most "
                    + "\(ByteCount.text(Int64(limit))). Divide it, or add a smaller one."
            )
        }
        return Upload.Place(film: id, file: file)
    }
}

extension OpenLibrary {
    /// Removes the files of uploads that an earlier process did not receive completely.
    func removePartialUploads() {
        guard let moving = try? journal.items.renamedFiles() else { return }
        PartialUploads.removeAll(in: directory, except: Set(moving.map(\.formerName)))
    }
}

extension LibraryError {
    /// The error of an upload that the end of the server interrupts.
    static var stopping: LibraryError {
        LibraryError(.unavailable, "The server is stopping. Start it, then add the file again.")
    }
}

extension UploadName {
    /// The name in a sentence.
    var quoted: String { text.isEmpty ? "The file" : "“\(text)”" }
}
