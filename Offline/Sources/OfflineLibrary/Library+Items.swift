// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineMedia
package import OfflineModel
import OfflineSources
import OfflineStore
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Pauses a queued or running download and keeps the data.
    ///
    /// The pause also outlasts a restart.
    ///
    /// - Throws: `LibraryError` with `.notPausable` if the item is in another state.
    package func pause(_ id: ItemID) async throws(LibraryError) -> MediaItem {
        _ = try item(id)
        await queue.hold(id)
        // A pause without a failure does not end when the disk has space again.
        let result = Result { () throws(LibraryError) in
            try space.record { () throws(SQLiteError) in
                try journal.move(id, .pause, with: .set(\.error, nil))
            }
        }
        await queue.release(id)
        if let paused = try result.get() { return paused }
        let item = try item(id)
        throw LibraryError(
            .notPausable,
            "Item \(id) is not being downloaded: its state is \(item.state.rawValue)."
        )
    }

    /// Throws if the finished file of an item does not have a checksum.
    func compare(_ item: MediaItem, with checksum: Checksum) async throws(LibraryError) {
        let isEqual: Bool
        do {
            guard item.kind == .file, let path = path(of: item) else {
                throw LibraryError(
                    .otherChecksum,
                    "Item \(item.id) was not kept as it came, so its file has no checksum of the "
                        + "server's. Leave out --checksum."
                )
            }
            isEqual = try await FileDigest.matches(checksum, fileAt: path)
        } catch {
            throw LibraryError(error)
        }
        if isEqual { return }
        throw LibraryError(
            .otherChecksum,
            "The file of item \(item.id) is in the library and has another checksum. Add "
                + "--again to download the address once more."
        )
    }

    /// Whether a part of an unfinished item's media is on the disk.
    package func hasData(of id: ItemID) -> Bool {
        let folder = directory.work(of: id)
        let files = FileManager.default.enumerator(atPath: folder)
        while let name = files?.nextObject() as? String {
            let path = "\(folder)/\(name)"
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            if (SystemFile.size(of: path) ?? 0) > 0 { return true }
        }
        return false
    }

    /// Removes an item and the unfinished data, even on a full disk.
    ///
    /// Without `withFile`, a finished file stays in the library's folder, and an import can restore
    /// the item.
    package func remove(_ id: ItemID, withFile: Bool) async throws(LibraryError) {
        _ = try item(id)
        await queue.hold(id)
        let result = Result { () throws(LibraryError) in
            try ItemDeletion(library: self, id: id, withFile: withFile).perform()
        }
        await queue.release(id)
        try result.get()
        // The freed space may suffice for a paused download.
        await queue.continuePaused()
    }
}

/// The removal of an item with the data, while the queue holds the item.
private struct ItemDeletion {
    let library: Library
    let id: ItemID
    let withFile: Bool

    /// Removes the row first.
    ///
    /// After a kill in between, the next refresh finds the file.
    func perform() throws(LibraryError) {
        let item = try library.item(id)
        try LibraryError.rethrowing {
            try deleteRow(of: item)
            library.sounds.remove(id)
            if withFile, let name = item.fileName {
                try SystemFile.remove(library.directory.mediaFile(name))
                let items = try library.journal.items.fileNames(beside: name)
                try library.directory.removeSubtitles(of: name, except: items)
            }
            try SystemFile.remove(library.directory.picture(of: id))
        }
        SystemFile.removeFolder(library.directory.work(of: id))
    }

    /// Removes the row.
    ///
    /// On a full disk, the reserve and then the files of the item make room first.
    private func deleteRow(of item: MediaItem) throws {
        let steps: [() throws -> Void] = [
            {},
            { SystemFile.removeFolder(library.directory.work(of: item.id)) },
            {
                guard withFile, let name = item.fileName else { return }
                try SystemFile.remove(library.directory.mediaFile(name))
            },
        ]
        var failure: SQLiteError?
        for step in steps {
            try step()
            do throws(SQLiteError) {
                return try library.space.commit { () throws(SQLiteError) in
                    try library.journal.remove(item.id)
                }
            } catch {
                guard error.code == .full else { throw error }
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
