// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineMedia
import OfflineModel
import Tidings

extension Connection<Library> {
    /// Downloads the items, or polls the server, until each item is ready or failed.
    ///
    /// - Parameters:
    ///   - ids: The items.
    ///   - show: Called for each change and for the progress, one call at a time.
    /// - Returns: The items in the final states.
    /// - Throws: An error of the library or of the connection to the server.
    func follow(
        _ ids: [ItemID],
        show: @escaping @Sendable (FollowedChange) -> Void
    ) async throws -> [ItemRepresentation] {
        switch self {
        case .here(let library): try await Self.follow(ids, in: library, show: show)
        case .server(let client): try await client.follow(ids, show: show)
        }
    }
}

extension APIClient {
    private static var pollInterval: Duration { .milliseconds(250) }

    fileprivate func follow(
        _ ids: [ItemID],
        show: (FollowedChange) -> Void
    ) async throws -> [ItemRepresentation] {
        // A paused item continues when the user or the server resumes the download.
        var ends = FollowedEnds(ids) { $0 == .ready || $0 == .failed }
        while true {
            let open = ends.open
            if open.count == 1, let id = open.first {
                ends.note(try await call(API.items.item, id), show)
            } else {
                for item in try await items(open) { ends.note(item, show) }
            }
            if ends.isComplete { return ends.items }
            try await ContinuousClock().sleep(for: Self.pollInterval)
        }
    }

    /// Returns the existing items among these.
    private func items(_ ids: Set<ItemID>) async throws -> [ItemRepresentation] {
        var items: [ItemRepresentation] = []
        var rest = Array(ids)[...]
        while !rest.isEmpty {
            let some = rest.prefix(ItemQuery.maximumCount)
            rest = rest.dropFirst(some.count)
            items += try await call(API.items.list, .some(Set(some))).items
        }
        return items
    }
}

/// A reason to show a followed item again.
private enum Update: Sendable {
    case item(MediaItem)
    case progress(ItemID)
}

extension Connection<Library> {
    private static func follow(
        _ ids: [ItemID],
        in library: Library,
        show: @escaping @Sendable (FollowedChange) -> Void
    ) async throws -> [ItemRepresentation] {
        let wanted = Set(ids)
        // The observers are registered before the download starts, so that no change is missed.
        let (updates, continuation) = AsyncStream.makeStream(of: Update.self)
        let changed = library.messages.observe(ItemChanged.self) { message in
            guard wanted.contains(message.item.id) else { return }
            continuation.yield(.item(message.item))
        }
        // On a full disk, the library posts the failure although the item's row cannot change.
        let failed = library.messages.observe(DownloadFailed.self) { message in
            guard wanted.contains(message.item.id) else { return }
            continuation.yield(.item(message.item))
        }
        let progress = library.messages.observe(DownloadProgressed.self) { message in
            guard wanted.contains(message.id) else { return }
            continuation.yield(.progress(message.id))
        }
        defer { for token in [changed, failed, progress] { token.cancel() } }
        await library.start(only: wanted)
        var ends = FollowedEnds(ids)
        for id in ids { ends.note(library.representation(of: try library.item(id)), show) }
        // The changes are shown here and not by the observers. An observer may still run after the
        // cancellation and would then show progress after the end.
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
}
