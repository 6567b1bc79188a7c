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
    /// - Returns: The upload, whose file has its space on the disk.
    /// - Throws: `LibraryError`, as `checkUpload`, and `.unavailable` if the library is stopping.
    package func beginUpload(of name: String, size: Int64) async throws(LibraryError) -> Upload {
        try checkUpload(of: name, size: size)
        do {
            try await uploads.take()
        } catch {
            throw .stopping
        }
        do throws(LibraryError) {
            return try await performBlocking { () throws(LibraryError) in
                try self.checkUpload(of: name, size: size)
                return try Upload(UploadName(name), size: size, to: self)
            }
        } catch {
            uploads.release()
            throw error
        }
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
