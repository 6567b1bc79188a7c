// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

/// A library that this process works on itself.
struct LocalLibrary: LibraryService {
    let library: Library
    let isServed = false

    /// - Parameters:
    ///   - library: The library.
    ///   - reports: What records its failures, if anything does.
    init(_ library: Library, reports: LibraryReports?) {
        self.library = library
        reports?.follow(library)
    }

    func enqueue(_ request: DownloadRequest) async throws -> ItemRepresentation {
        ItemRepresentation(try await library.enqueue(request).item)
    }

    func follow(
        _ id: ItemID,
        show: @escaping @Sendable (ItemRepresentation) -> Void
    ) async throws -> ItemRepresentation {
        let messages = library.messages
        // Made before the work begins, so that the last change cannot be missed.
        let (changes, continuation) = AsyncStream.makeStream(of: MediaItem.self)
        let changed = messages.observe(ItemChanged.self) { continuation.yield($0.item) }
        // On a full disk the failure is told although its row cannot be changed.
        let failed = messages.observe(DownloadFailed.self) { continuation.yield($0.item) }
        let progress = messages.observe(DownloadProgressed.self) { message in
            guard message.id == id, let item = try? library.item(id) else { return }
            show(ItemRepresentation(item, progress: message.progress))
        }
        defer { for token in [changed, failed, progress] { token.cancel() } }
        await library.start(only: id)
        var item = try library.item(id)
        for await change in changes where change.id == id {
            item = change
            show(ItemRepresentation(item, progress: library.board.progress(of: id)))
            if item.state == .ready || item.state == .failed { break }
        }
        return ItemRepresentation(item)
    }

    func items() async throws -> [ItemRepresentation] {
        try library.journal.registry.items().map { ItemRepresentation($0) }
    }

    func refresh(_ options: RefreshOptions) async throws -> RefreshReport {
        try await library.refresh(options)
    }

    func remove(_ id: ItemID, withFile: Bool) async throws {
        try await library.remove(id, withFile: withFile)
    }

    func stop() async {
        await library.stop()
    }
}
