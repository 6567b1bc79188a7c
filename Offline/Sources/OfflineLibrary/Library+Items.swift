// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Pauses a queued or running download and keeps its data, also for the next start.
    ///
    /// - Throws: `LibraryError` with `.notPausable` if the item is in another state.
    package func pause(_ id: ItemID) async throws(LibraryError) -> MediaItem {
        _ = try item(id)
        await queue?.hold(id)
        let result = Result { () throws(LibraryError) in try recordPause(of: id) }
        await queue?.release(id)
        return try result.get()
    }

    private func recordPause(of id: ItemID) throws(LibraryError) -> MediaItem {
        let paused: MediaItem?
        do {
            // Without a failure: space on the disk does not continue it.
            paused = try space.commit { () throws(SQLiteError) in
                try journal.move(id, .pause, .failure(nil))
            }
        } catch {
            throw LibraryError(error)
        }
        if let paused { return paused }
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

    /// Queues a paused, failed or missing item again and keeps its data.
    ///
    /// A ready item with an address whose file is gone or has another size counts as missing.
    ///
    /// - Throws: `LibraryError` with `.notRetryable` if it is in another state.
    package func retry(_ id: ItemID) async throws(LibraryError) -> MediaItem {
        let item = try item(id)
        if item.isImported { return try await recheck(item) }
        if !isDamaged(item) { try await requireRetryable(item) }
        let queued: MediaItem
        do {
            queued = try requeue(item)
        } catch {
            throw LibraryError(error)
        }
        await queue?.admit(id)
        return queued
    }

    /// Checks the file of an imported item again, which has no address to be downloaded from.
    private func recheck(_ item: MediaItem) async throws(LibraryError) -> MediaItem {
        guard let name = item.fileName, SystemFile.size(of: directory.mediaFile(name)) != nil else {
            throw LibraryError(
                .notRetryable,
                "Item \(item.id) was imported, and its file is missing. Restore it from a copy."
            )
        }
        guard item.state.after(.recheck) != nil else { throw Self.notRetryable(item) }
        do {
            guard let due = try journal.recheck(item.id) else {
                throw Self.notRetryable(item)
            }
            _ = try await ImportCheck(journal: journal, directory: directory).run(due)
        } catch {
            throw LibraryError(error)
        }
        return try self.item(item.id)
    }

    /// Whether the file of an item exists and has the recorded size.
    func isWhole(_ item: MediaItem) -> Bool {
        path(of: item).flatMap(SystemFile.size(of:)) == item.size
    }

    /// Whether an item that is ready can only be completed from its address.
    private func isDamaged(_ item: MediaItem) -> Bool {
        guard item.state == .ready, case .address = item.origin else { return false }
        return !isWhole(item)
    }

    func requireRetryable(_ item: MediaItem) async throws(LibraryError) {
        let isUnrecorded = await queue?.isUnrecorded(item.id) ?? false
        guard item.state.after(.retry) != nil || isUnrecorded else {
            throw Self.notRetryable(item)
        }
    }

    /// Changes nothing if the item's state has changed since it was read.
    func requeue(_ item: MediaItem) throws(SQLiteError) -> MediaItem {
        let move: ItemMove = item.state == .ready ? .replace : .retry
        if let queued = try journal.move(item.id, move, .failure(nil)) { return queued }
        return try journal.registry.item(item.id) ?? item
    }

    /// Whether a part of an unfinished item's media is on disk.
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

    /// Removes an item and its unfinished data, also on a full disk.
    ///
    /// Without `withFile` a finished file stays in the library's folder, from which an import
    /// restores it.
    package func remove(_ id: ItemID, withFile: Bool) async throws(LibraryError) {
        _ = try item(id)
        await queue?.hold(id)
        let result = Result { () throws(LibraryError) in try delete(id, withFile: withFile) }
        await queue?.release(id)
        try result.get()
        // Its space may suffice for a paused download.
        await queue?.continuePaused()
    }

    /// Removes the row first, so that the next refresh finds the file after a kill in between.
    private func delete(_ id: ItemID, withFile: Bool) throws(LibraryError) {
        let item = try item(id)
        do {
            try deleteRow(of: item, withFile: withFile)
            sounds.remove(id)
            if withFile, let name = item.fileName {
                try SystemFile.remove(directory.mediaFile(name))
                let items = try journal.registry.fileNames(beside: name)
                try directory.removeSubtitles(of: name, except: items)
            }
            try SystemFile.remove(directory.picture(of: id))
        } catch {
            throw LibraryError(error)
        }
        SystemFile.removeFolder(directory.work(of: id))
    }

    /// Removes the row; on a full disk, first the reserve and then files of the item make
    /// room for that.
    private func deleteRow(of item: MediaItem, withFile: Bool) throws {
        let steps: [() throws -> Void] = [
            {},
            { SystemFile.removeFolder(self.directory.work(of: item.id)) },
            {
                guard withFile, let name = item.fileName else { return }
                try SystemFile.remove(self.directory.mediaFile(name))
            },
        ]
        var failure: SQLiteError?
        for step in steps {
            try step()
            do throws(SQLiteError) {
                return try space.commit { () throws(SQLiteError) in
                    try journal.remove(item.id)
                }
            } catch {
                guard error.code == .full else { throw error }
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
