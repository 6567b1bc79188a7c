// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

extension Library {
    /// Moves a queued item in the order of the queue.
    ///
    /// - Throws: `LibraryError` with `.notQueued` if it, or the item of the place, is in another
    ///   state.
    package func move(_ id: ItemID, to place: QueuePlace) async throws(LibraryError) -> MediaItem {
        let isQueued: Bool
        do {
            isQueued = try space.commit { () throws(SQLiteError) in
                try journal.reorder(id, place)
            }
        } catch {
            throw LibraryError(error)
        }
        let item = try item(id)
        guard isQueued else {
            let other =
                if item.state == .queued, let id = place.item { try self.item(id) } else { item }
            throw LibraryError(
                .notQueued,
                "Item \(other.id) does not wait in the queue: its state is \(other.state.rawValue)."
            )
        }
        await queue?.fill()
        return item
    }

    /// Ends an unfinished download, and removes its item and its data.
    ///
    /// - Throws: `LibraryError` with `.notCancellable` if the item is in the library.
    package func cancel(_ id: ItemID) async throws(LibraryError) {
        _ = try item(id)
        await queue?.hold(id)
        let result = Result { () throws(LibraryError) in try requireUnfinished(id) }
        do throws(LibraryError) {
            try result.get()
            try await remove(id, withFile: false)
        } catch {
            await queue?.release(id)
            throw error
        }
        await queue?.release(id)
    }

    private func requireUnfinished(_ id: ItemID) throws(LibraryError) {
        let item = try item(id)
        guard [.ready, .missing, .unverified].contains(item.state) else { return }
        throw LibraryError(
            .notCancellable,
            "Item \(id) is in the library, so there is no download to cancel. `offline remove "
                + "\(id)` removes it from the list."
        )
    }

    /// Applies an action to all items that it concerns.
    ///
    /// - Returns: The number of changed items.
    /// - Throws: `LibraryError` of the registry; earlier changes stay.
    package func change(all action: CommonAction) async throws(LibraryError) -> Int {
        switch action {
        case .pause: return try await pauseAll()
        case .resume: return try await queueAll(from: .paused)
        case .retry: return try await queueAll(from: .failed)
        }
    }

    private func pauseAll() async throws(LibraryError) -> Int {
        // Those first that would continue by themselves, then the queued ones, so that none takes
        // the place of a running one.
        var count = try pauseWaitingForSpace()
        count += try moveAll(from: .queued, .pause)
        await queue?.forgetNetworkWaits()
        for id in await queue?.runningItems ?? [] {
            do {
                _ = try await pause(id)
                count += 1
            } catch {
                // It has ended in the meantime.
                guard error.code == .notPausable || error.code == .notFound else { throw error }
            }
        }
        // A running download may have filled the disk in the meantime.
        return try count + pauseWaitingForSpace()
    }

    /// Pauses the downloads that a full disk has paused, so that space does not continue them.
    private func pauseWaitingForSpace() throws(LibraryError) -> Int {
        var count = 0
        do {
            for id in try journal.registry.itemsWaitingForSpace() {
                let paused = try space.commit { () throws(SQLiteError) in
                    try journal.move(id, .pause, .failure(nil))
                }
                if paused != nil { count += 1 }
            }
            return count
        } catch {
            throw LibraryError(error)
        }
    }

    private func queueAll(from state: ItemState) async throws(LibraryError) -> Int {
        let count = try moveAll(from: state, .retry)
        await queue?.fill()
        return count
    }

    private func moveAll(from state: ItemState, _ move: ItemMove) throws(LibraryError) -> Int {
        var count = 0
        do {
            while true {
                let changed = try space.commit { () throws(SQLiteError) in
                    try journal.moveSome(from: state, move)
                }
                guard changed > 0 else { return count }
                count += changed
            }
        } catch {
            throw LibraryError(error)
        }
    }
}

/// An action for all items that it concerns.
package enum CommonAction: String, Hashable, Sendable, CaseIterable {
    /// Pauses all queued and running downloads.
    case pause
    /// Queues all paused items.
    case resume
    /// Queues all failed items.
    case retry
}
