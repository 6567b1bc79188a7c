// SPDX-License-Identifier: Apache-2.0
import OfflineApp
import OfflineLibrary
import Tidings

/// A library that this process has open.
struct LocalLibrary: LibraryService {
    /// A reason to show a followed item again.
    private enum Update: Sendable {
        case item(MediaItem)
        case progress
    }

    let library: Library
    let isServed = false

    /// Creates a service for an open library.
    ///
    /// - Parameters:
    ///   - library: The library.
    ///   - reports: The reports that record the library's failures; nil records nothing.
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
        // Observed before the download starts, so that no change is missed.
        let (updates, continuation) = AsyncStream.makeStream(of: Update.self)
        let changed = messages.observe(ItemChanged.self) { message in
            guard message.item.id == id else { return }
            continuation.yield(.item(message.item))
        }
        // On a full disk the failure is posted although its row cannot change.
        let failed = messages.observe(DownloadFailed.self) { message in
            guard message.item.id == id else { return }
            continuation.yield(.item(message.item))
        }
        let progress = messages.observe(DownloadProgressed.self) { message in
            guard message.id == id else { return }
            continuation.yield(.progress)
        }
        defer { for token in [changed, failed, progress] { token.cancel() } }
        await library.start(only: id)
        var item = try library.item(id)
        if item.state.endsRun { return ItemRepresentation(item) }
        // Shown here and not by the observers, one of which may still run after its cancellation
        // and would show its progress after the end.
        for await update in updates {
            let progress = library.progress.progress(of: id)
            switch update {
            case .item(let change):
                item = change
                show(ItemRepresentation(item, progress: progress))
                if item.state.endsRun { return ItemRepresentation(item) }
            case .progress:
                guard let current = try? library.item(id) else { continue }
                show(ItemRepresentation(current, progress: progress))
            }
        }
        return ItemRepresentation(item)
    }

    func items() async throws -> [ItemRepresentation] {
        try library.journal.registry.items().map { ItemRepresentation($0) }
    }

    func refresh(_ options: RefreshOptions) async throws -> RefreshReport {
        try await library.refresh(options)
    }

    func pause(_ id: ItemID) async throws {
        _ = try await library.pause(id)
    }

    func stopRecording(_ id: ItemID) async throws {
        _ = try await library.stopRecording(id)
    }

    func retry(_ id: ItemID) async throws {
        _ = try await library.retry(id)
    }

    func remove(_ id: ItemID, withFile: Bool) async throws {
        try await library.remove(id, withFile: withFile)
    }

    func stop() async {
        await library.stop()
    }
}
