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
    /// Queues a paused, failed or missing item again with another address, and keeps the data.
    ///
    /// The next run keeps the bytes of a file with the same strong validator and size, and the
    /// segments of a stream with the same lengths. Ranges also need the same strong validator and
    /// equal bytes in a sample. Otherwise, and for another kind of media, the run starts over and
    /// reports this. Headers and cookies still go only to the server for which the user gave them.
    ///
    /// An interrupted recording continues from the new address after a gap. For a recording that is
    /// over, the library refuses a new address, because no other address can supply the segments.
    ///
    /// - Throws: `LibraryError` with `.notRetryable` for an item in another state, an item without
    ///   an address and a recording that is over, and with `.addressInUse` if another item has the
    ///   address.
    package func retry(
        _ id: ItemID,
        at address: WebAddress
    ) async throws(LibraryError) -> MediaItem {
        let item = try item(id)
        guard case .address(let old) = item.origin else {
            throw LibraryError(
                .notRetryable,
                "Item \(id) has no address that could be replaced. Add the new address by itself."
            )
        }
        if address == old { return try await retry(id) }
        try await requireRetryable(item)
        // The hold keeps other requests from starting the item before the data is marked.
        await queue.hold(id)
        let isUnrecorded = await queue.isUnrecorded(id)
        let result = Result { () throws(LibraryError) in
            try replaceAddress(of: id, by: address, isUnrecorded)
        }
        await queue.release(id)
        return try result.get()
    }

    private func replaceAddress(
        of id: ItemID,
        by address: WebAddress,
        _ isUnrecorded: Bool
    ) throws(LibraryError) -> MediaItem {
        let replaced = ReplacedAddress(directory: directory, id: id)
        let change = try LibraryError.rethrowing {
            let isNew = try replaced.mark()
            do {
                let change = try journal.replaceAddress(
                    of: id,
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
        case .noItem: throw LibraryError(noItem: id)
        case .refused(let item): throw LibraryError(notRetryable: item)
        case .recordingIsOver:
            throw LibraryError(
                .notRetryable,
                "The recording is over: item \(id) needs no address. Retry it without one, or add "
                    + "the new address by itself."
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
