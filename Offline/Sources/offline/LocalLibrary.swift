// SPDX-License-Identifier: Apache-2.0
import OfflineApp
import OfflineLibrary
import Tidings
import TidingsFiles
import TidingsHTTP

/// A library that this process has open.
struct LocalLibrary: LibraryService {
    /// A reason to show a followed item again.
    private enum Update: Sendable {
        case item(MediaItem)
        case progress(ItemID)
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
        _ ids: [ItemID],
        show: @escaping @Sendable (FollowedChange) -> Void
    ) async throws -> [ItemRepresentation] {
        let messages = library.messages
        let wanted = Set(ids)
        // Observed before the download starts, so that no change is missed.
        let (updates, continuation) = AsyncStream.makeStream(of: Update.self)
        let changed = messages.observe(ItemChanged.self) { message in
            guard wanted.contains(message.item.id) else { return }
            continuation.yield(.item(message.item))
        }
        // On a full disk the failure is posted although its row cannot change.
        let failed = messages.observe(DownloadFailed.self) { message in
            guard wanted.contains(message.item.id) else { return }
            continuation.yield(.item(message.item))
        }
        let progress = messages.observe(DownloadProgressed.self) { message in
            guard wanted.contains(message.id) else { return }
            continuation.yield(.progress(message.id))
        }
        defer { for token in [changed, failed, progress] { token.cancel() } }
        await library.start(only: wanted)
        var ends = FollowedEnds(ids)
        for id in ids { ends.note(library.representation(of: try library.item(id)), show) }
        // Shown here and not by the observers, one of which may still run after its cancellation
        // and would show its progress after the end.
        if ends.isComplete { return ends.items }
        for await update in updates {
            switch update {
            case .item(let item):
                ends.note(library.representation(of: item), show)
            case .progress(let id):
                guard let item = try? library.item(id) else { continue }
                ends.note(library.representation(of: item), show)
            }
            if ends.isComplete { break }
        }
        return ends.items
    }

    func items(matching words: String) async throws -> [ItemRepresentation] {
        try library.journal.registry.items(matching: SearchWords(words)).map {
            ItemRepresentation($0)
        }
    }

    func refresh(_ options: RefreshOptions) async throws -> RefreshReport {
        try await library.refresh(options)
    }

    func verify(_ ids: [ItemID], acceptsSubtitles: Bool) async throws -> VerificationReport {
        try library.verify(Set(ids), acceptsSubtitles: acceptsSubtitles)
    }

    func verification(_ run: Int) async throws -> VerificationReport {
        // No other command can verify the library meanwhile.
        library.verification.report(of: run) ?? library.verification.report
    }

    func stopVerification(_ run: Int) async throws { library.verification.stop(run) }

    func importItems(_ file: FileDescriptor, allowsPrivate: Bool) async throws -> ImportReport {
        try await library.importItems(DocumentLines(file), allowsPrivate: allowsPrivate)
    }

    func details(of id: ItemID) async throws -> ItemRepresentation {
        try await library.details(of: id)
    }

    func rename(_ id: ItemID, to title: String) async throws -> ItemRepresentation {
        ItemRepresentation(try await library.rename(id, to: title))
    }

    func pause(_ id: ItemID) async throws {
        _ = try await library.pause(id)
    }

    func stopRecording(_ id: ItemID) async throws {
        _ = try await library.stopRecording(id)
    }

    func retry(_ id: ItemID, at address: WebAddress?) async throws {
        if let address {
            _ = try await library.retry(id, at: address)
        } else {
            _ = try await library.retry(id)
        }
    }

    func remove(_ id: ItemID, withFile: Bool) async throws {
        try await library.remove(id, withFile: withFile)
    }

    func cancel(_ id: ItemID) async throws {
        try await library.cancel(id)
    }

    func change(all action: CommonAction) async throws -> Int {
        try await library.change(all: action)
    }

    func move(_ id: ItemID, to place: QueuePlace) async throws {
        _ = try await library.move(id, to: place)
    }

    func collections() async throws -> [MediaCollection] { try library.collections() }

    func makeCollection(
        _ name: CollectionName,
        _ items: [ItemID]
    ) async throws -> MediaCollection {
        try library.makeCollection(name, items)
    }

    func change(
        _ id: CollectionID,
        name: CollectionName?,
        items: CollectionItems?
    ) async throws -> MediaCollection {
        try library.change(id, name: name, items: items)
    }

    func removeCollection(_ id: CollectionID) async throws { try library.removeCollection(id) }

    func settings() async throws -> DownloadSettings {
        try library.settings()
    }

    func changeSettings(_ texts: [SettingKey: String]) async throws -> DownloadSettings {
        try await library.change(texts)
    }

    func stop() async {
        await library.stop()
    }
}
