// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
package import TidingsHTTP

extension Library {
    /// Queues a paused, failed or missing item again with another address, and keeps its data.
    ///
    /// The next run keeps the bytes of a file with the same strong validator, and the segments of a
    /// stream with the same validators or lengths; otherwise it starts over and says so. Headers
    /// and cookies stay with the server that they were given for.
    ///
    /// - Throws: `LibraryError` with `.notRetryable` in another state or without an address, and
    ///   with `.addressInUse` if another item has the address.
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
        let queued: MediaItem?
        do {
            let request = DownloadRequest(.address(address), choice: item.choice)
            if let other = try journal.registry.newestItem(of: request), other.id != id {
                throw LibraryError(
                    .addressInUse,
                    "Item \(other.id) has this address. Retry that item, or remove it first."
                )
            }
            try RecordedReference.forget(of: id, in: directory)
            let options = try journal.registry.options(of: id)
            let moved = options.moved(from: old, to: address)
            queued = try journal.move(
                id,
                .retry,
                .failure(nil),
                .origin(.address(address)),
                .options(moved),
                .note(ItemNote(Self.notes(options, moved), after: item.note).text)
            )
        } catch let error as DownloadError {
            throw LibraryError(.invalidOption, error.message, cause: error)
        } catch {
            throw LibraryError(error)
        }
        guard let queued else { throw Self.notRetryable(item) }
        await queue?.admit(id)
        return queued
    }

    static func notRetryable(_ item: MediaItem) -> LibraryError {
        LibraryError(
            .notRetryable,
            "Item \(item.id) is neither paused, failed nor missing: its state is "
                + "\(item.state.rawValue)."
        )
    }

    private static func notes(_ old: RequestOptions, _ new: RequestOptions) -> [String] {
        old == new ? [] : [RequestOptions.noteAfterMove]
    }
}
