// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles
package import TidingsHTTP
import TidingsSQLite

extension Library {
    /// Queues a paused, failed or missing item again with another address, and keeps its data.
    ///
    /// The next run keeps the bytes of a file with the same strong validator and size, and the
    /// segments of a stream with the same lengths; ranges also need the same strong validator and
    /// equal bytes in a sample. Otherwise, and for another kind of media, it starts over and says
    /// so. Headers and cookies stay with the server that they were given for.
    ///
    /// An interrupted recording goes on from the new address after a gap. One that is over is
    /// refused, because its segments are fetched from nowhere else.
    ///
    /// - Throws: `LibraryError` with `.notRetryable` in another state, without an address and for a
    ///   recording that is over, and with `.addressInUse` if another item has the address.
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
        // From here on no other request starts the item, whose data get a mark first.
        await queue?.hold(id)
        let isUnrecorded = await queue?.isUnrecorded(id) ?? false
        let result = Result { () throws(LibraryError) in
            try replaceAddress(of: id, by: address, isUnrecorded)
        }
        await queue?.release(id)
        return try result.get()
    }

    private func replaceAddress(
        of id: ItemID,
        by address: WebAddress,
        _ isUnrecorded: Bool
    ) throws(LibraryError) -> MediaItem {
        let replaced = ReplacedAddress(directory: directory, id: id)
        let change: AddressChange
        do {
            let isNew = try replaced.mark()
            do {
                change = try journal.replaceAddress(of: id, by: address, isUnrecorded: isUnrecorded)
            } catch {
                if isNew { try? replaced.clear() }
                throw error
            }
            if case .changed = change {} else if isNew { try replaced.clear() }
        } catch {
            throw LibraryError(error)
        }
        switch change {
        case .changed(_, let item): return item
        case .noItem: throw LibraryError(noItem: id)
        case .refused(let item): throw Self.notRetryable(item)
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

    static func notRetryable(_ item: MediaItem) -> LibraryError {
        LibraryError(
            .notRetryable,
            "Item \(item.id) is neither paused, failed nor missing: its state is "
                + "\(item.state.rawValue)."
        )
    }
}
