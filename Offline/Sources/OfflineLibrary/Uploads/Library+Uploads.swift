// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsFiles

extension Library {
    /// Checks that a file of a person could be received now.
    ///
    /// - Throws: `LibraryError` with `.notMedia` for an empty file, or `.diskFull`.
    package func checkUpload(of name: String, size: Int64) throws(LibraryError) {
        let name = UploadName(name)
        guard size > 0 else {
            throw LibraryError(
                .notMedia,
                "\(name.quoted) is empty. Copy it again, or choose another file."
            )
        }
        guard let free = space.free, size > free else { return }
        throw LibraryError(
            .diskFull,
            "The disk is full: \(name.quoted) has \(ByteCount.text(size)), and "
                + "\(ByteCount.text(max(0, free))) are free in \(directory.media). Free some space, "
                + "then try again."
        )
    }

    /// Begins to receive a file of a person, when fewer than four others are being received.
    ///
    /// - Parameters:
    ///   - name: The name of the file, which may contain anything.
    ///   - size: The number of bytes.
    ///   - film: The film beside which subtitles belong, whose name is that of the film; nil for
    ///     any other file.
    /// - Returns: The upload, whose file has its space on the disk.
    /// - Throws: `LibraryError`, as `checkUpload`, `.unavailable` if the library is stopping, and
    ///   `.notFound` or `.invalidName` for subtitles.
    package func beginUpload(
        of name: String,
        size: Int64,
        beside film: ItemID? = nil
    ) async throws(LibraryError) -> Upload {
        let place = try place(of: name, size: size, beside: film)
        try checkUpload(of: name, size: size)
        do {
            try await uploads.take()
        } catch {
            throw .stopping
        }
        do throws(LibraryError) {
            return try await performBlocking { () throws(LibraryError) in
                try self.checkUpload(of: name, size: size)
                return try Upload(UploadName(name), size: size, to: self, at: place)
            }
        } catch {
            uploads.release()
            throw error
        }
    }

    private func place(
        of name: String,
        size: Int64,
        beside id: ItemID?
    ) throws(LibraryError) -> Upload.Place? {
        guard let id else { return nil }
        guard let film = try item(id).fileName, ContentKind.isMedia(fileName: film),
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

    /// Removes the files of uploads that an earlier process did not receive whole.
    func removePartialUploads() {
        guard let moving = try? journal.registry.renamedFiles() else { return }
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
