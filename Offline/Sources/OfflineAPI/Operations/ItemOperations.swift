// SPDX-License-Identifier: Apache-2.0
package import OfflineDownloads
package import OfflineLibrary
package import OfflineMedia
package import OfflineModel
package import OfflineSources
package import OfflineStore
import Tidings
import TidingsHTTP

/// The operations on items and the queue.
package struct ItemOperations: Sendable {
    /// Returns a page of the items, or the items with the given numbers.
    package let list = get("/items") { (library: Library, listing: ItemListing) in
        switch listing {
        case .some(let ids):
            let items = try library.journal.items.items(ids)
            return ItemListJSON(items.map(library.representation), total: items.count)
        case .page(let query, _):
            let page = try library.journal.items.page(query)
            return ItemListJSON(
                page.items.map(library.representation),
                total: page.total,
                next: page.next
            )
        }
    }

    /// Returns one item with the subtitles, chapters and path.
    package let item = get("/items/{id}", 404) { (library: Library, id: ItemID) in
        try await library.details(of: id)
    }

    /// Queues a download for each address in a text.
    package let paste = create("/items", 409, 507) { (library: Library, order: PasteOrder) in
        try await order.enqueue(in: library)
    }

    /// Queues a download.
    package let download = create("/downloads", 404, 409, 507) {
        (library: Library, order: DownloadOrder) in
        try await order.resolved(in: library).enqueue(in: library)
    }

    /// Queues the sample stream of the program.
    package let downloadSample = create("/sample", 507) { (library: Library, _: NoContent) in
        try await DownloadRequest(.sample).enqueue(in: library)
    }

    /// Returns what a download would fetch.
    package let inspect = post("/inspect", 404, 503) { (library: Library, order: InspectionOrder) in
        let request = try order.download.resolved(in: library)
        var inspection = try await library.inspect(request)
        if let title = request.title { inspection.title = title }
        return inspection
    }

    /// Pauses a download and keeps the data.
    package let pause = post("/items/{id}/pause", 404, 409) { (library: Library, id: ItemID) in
        library.representation(of: try await library.pause(id))
    }

    /// Ends the recording of a live stream.
    package let stop = post("/items/{id}/stop", 404, 409) { (library: Library, id: ItemID) in
        library.representation(of: try await library.stopRecording(id))
    }

    /// Sets the title of an item and renames the file.
    package let rename = post("/items/{id}/rename", 404) {
        (library: Library, input: Addressed<ItemID, TitleJSON>) in
        _ = try await library.rename(input.target, to: input.body.title)
        return try await library.details(of: input.target)
    }

    /// Queues a paused, failed or missing item again.
    package let retry = post("/items/{id}/retry", 404, 409) {
        (library: Library, input: Addressed<ItemID, RetryJSON>) in
        let address = try input.body.address.map { try WebAddress($0) }
        let item = try await library.retry(input.target, at: address)
        return library.representation(of: item)
    }

    /// Keeps an item on purpose, so that no feed removes the item.
    package let keep = post("/items/{id}/keep", 404) { (library: Library, id: ItemID) in
        library.representation(of: try library.keep(id))
    }

    /// Ends an unfinished download and removes the item.
    package let cancel = post("/items/{id}/cancel", 404, 409) { (library: Library, id: ItemID) in
        try await library.cancel(id)
        return RemovalJSON(removed: id)
    }

    /// Moves a queued item in the order of the queue.
    package let move = post("/items/{id}/move", 404, 409) {
        (library: Library, input: Addressed<ItemID, QueuePlace>) in
        library.representation(of: try await library.move(input.target, to: input.body))
    }

    /// Pauses, resumes or retries all items to which the action applies.
    package let changeAll = post("/items/{action}", 404) {
        (library: Library, action: CommonAction) in
        ChangedJSON(changed: try await action.perform(in: library))
    }

    /// Removes an item, and deletes the file on request.
    package let remove = delete("/items/{id}", 404) { (library: Library, removal: ItemRemoval) in
        try await library.remove(removal.id, withFile: removal.withFile)
        return RemovalJSON(removed: removal.id)
    }

    /// Returns the tracks of the finished file.
    package let tracks = get("/items/{id}/tracks", 404) { (library: Library, id: ItemID) in
        TracksJSON(tracks: try await library.tracks(of: id))
    }

    /// Returns how far an item was played.
    package let playback = get("/items/{id}/playback", 404) { (library: Library, id: ItemID) in
        try library.item(id).playback
    }

    /// Records how far an item was played.
    package let play = put("/items/{id}/playback", 404) {
        (library: Library, input: Addressed<ItemID, PlaybackChange>) in
        try library.play(input.target, input.body)
    }

    /// Returns the items that can be continued, the last played first.
    package let inPlayback = get("/playback") { (library: Library, query: QueryInput) in
        let count = try query.parts().number("count", from: 1, through: 100, otherwise: 20)
        let items = try library.itemsInPlayback(limit: count)
        return PlaybackListJSON(items: items.map(library.representation))
    }

    /// Returns the items that download now, and why the queue waits.
    package let queue = get("/queue") { (library: Library, _: NoContent) in
        library.queueState.lastData ?? QueueState()
    }

    /// Checks whether a file could be added now.
    package let checkUpload = get("/uploads", 503, 507, status: 204) {
        (library: Library, query: QueryInput) in
        guard let size = query["size"].flatMap({ Int64($0) }) else {
            throw APIError(.badRequest, "The size of the file is missing. Send “size” in bytes.")
        }
        try library.uploads.check(query["name"] ?? "", size: size)
        return NoContent()
    }
}

extension DownloadRequest {
    /// Queues a download, and returns the item and whether the item is new.
    func enqueue(in library: Library) async throws -> (ItemRepresentation, Bool) {
        let result = try await library.enqueue(self)
        let isNew = if case .created = result { true } else { false }
        return (library.representation(of: result.item), isNew)
    }
}
