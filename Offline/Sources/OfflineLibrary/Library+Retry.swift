// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
package import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles
package import TidingsHTTP
import TidingsSQLite

extension Library {
    /// Queues a paused, failed or missing item again and keeps the data.
    ///
    /// A ready item with an address whose file is gone or has another size counts as missing.
    ///
    /// With another address, the next run keeps the bytes of a file with the same strong validator
    /// and size, and the segments of a stream with the same lengths. Ranges also need the same
    /// strong validator and equal bytes in a sample. Otherwise, and for another kind of media, the
    /// run starts over and reports this. Headers and cookies still go only to the server for which
    /// the user gave them.
    ///
    /// An interrupted recording continues from the new address after a gap. For a recording that is
    /// over, the library refuses a new address, because no other address can supply the segments.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - address: The new address, or nil to keep the address.
    /// - Returns: The item, which is queued or, after the check of an imported file, ready.
    /// - Throws: `LibraryError` with `.notRetryable` if the item is in another state, with
    ///   `.notRetryable` for a new address of an item without an address or of a recording that is
    ///   over, and with `.addressInUse` if another item has the address.
    package func retry(
        _ id: ItemID,
        at address: WebAddress? = nil
    ) async throws(LibraryError) -> MediaItem {
        let retry = ItemRetry(library: self, item: try item(id))
        guard let address else { return try await retry.perform() }
        return try await retry.perform(at: address)
    }
}

/// Another attempt for an item, with the data of the earlier attempts.
private struct ItemRetry {
    let library: Library
    let item: MediaItem

    func perform() async throws(LibraryError) -> MediaItem {
        if item.isImported { return try await recheck() }
        if !library.open.isDamaged(item) { try await requireRetryable() }
        let queued = try LibraryError.rethrowing { try library.open.requeue(item) }
        await library.queue.admit(item.id)
        return queued
    }

    /// Checks the file of an imported item again.
    ///
    /// Such an item has no address for a download.
    private func recheck() async throws(LibraryError) -> MediaItem {
        let directory = library.directory
        guard let name = item.fileName, SystemFile.size(of: directory.mediaFile(name)) != nil else {
            throw LibraryError(
                .notRetryable,
                "Item \(item.id) was imported, and its file is missing. Restore it from a copy."
            )
        }
        guard item.state.after(.recheck) != nil else { throw LibraryError(notRetryable: item) }
        do {
            guard let due = try library.journal.recheck(item.id) else {
                throw LibraryError(notRetryable: item)
            }
            _ = try await ImportCheck(journal: library.journal, directory: directory).run(due)
        } catch {
            throw LibraryError(error)
        }
        return try library.item(item.id)
    }

    private func requireRetryable() async throws(LibraryError) {
        let isUnrecorded = await library.queue.isUnrecorded(item.id)
        guard item.state.after(.retry) != nil || isUnrecorded else {
            throw LibraryError(notRetryable: item)
        }
    }

    func perform(at address: WebAddress) async throws(LibraryError) -> MediaItem {
        guard case .address(let old) = item.origin else {
            throw LibraryError(
                .notRetryable,
                "Item \(item.id) has no address that could be replaced. Add the new address by "
                    + "itself."
            )
        }
        if address == old { return try await perform() }
        try await requireRetryable()
        // The hold keeps other requests from starting the item before the data is marked.
        await library.queue.hold(item.id)
        let isUnrecorded = await library.queue.isUnrecorded(item.id)
        let result = Result { () throws(LibraryError) in
            try replaceAddress(by: address, isUnrecorded: isUnrecorded)
        }
        await library.queue.release(item.id)
        return try result.get()
    }

    private func replaceAddress(
        by address: WebAddress,
        isUnrecorded: Bool
    ) throws(LibraryError) -> MediaItem {
        let replaced = ReplacedAddress(directory: library.directory, id: item.id)
        let change = try LibraryError.rethrowing {
            let isNew = try replaced.mark()
            do {
                let change = try library.journal.replaceAddress(
                    of: item.id,
                    by: address,
                    isUnrecorded: isUnrecorded
                )
                if case .changed = change {} else if isNew { try replaced.clear() }
                return change
            } catch {
                if isNew { try? replaced.clear() }
                throw error
            }
        }
        switch change {
        case .changed(_, let item): return item
        case .noItem: throw LibraryError(noItem: item.id)
        case .refused(let item): throw LibraryError(notRetryable: item)
        case .recordingIsOver:
            throw LibraryError(
                .notRetryable,
                "The recording is over: item \(item.id) needs no address. Retry it without one, or "
                    + "add the new address by itself."
            )
        case .otherItem(let other):
            throw LibraryError(
                .addressInUse,
                "Item \(other) has this address. Retry that item, or remove it first."
            )
        case .unreadableOptions(let error):
            throw LibraryError(.invalidOption, error.message, cause: error)
        }
    }
}

extension OpenLibrary {
    /// Whether an item is ready but has a damaged file that only a new download can replace.
    fileprivate func isDamaged(_ item: MediaItem) -> Bool {
        guard item.state == .ready, case .address = item.origin else { return false }
        return !isWhole(item)
    }
}

extension LibraryError {
    /// Creates the error for an item whose state permits no other attempt.
    init(notRetryable item: MediaItem) {
        self.init(
            .notRetryable,
            "Item \(item.id) is neither paused, failed nor missing: its state is "
                + "\(item.state.rawValue)."
        )
    }
}
