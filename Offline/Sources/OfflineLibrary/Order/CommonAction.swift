// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
package import OfflineModel
import OfflineStore
import TidingsSQLite

/// An action for all items in a matching state.
package enum CommonAction: String, Hashable, Sendable, CaseIterable {
    /// Pauses all queued and running downloads.
    case pause
    /// Queues all paused items.
    case resume
    /// Queues all failed items.
    case retry
}

extension CommonAction {
    /// Applies the action to all items of a library in a matching state.
    ///
    /// - Returns: The number of changed items.
    /// - Throws: `LibraryError` of the registry, in which case earlier changes stay.
    package func perform(in library: Library) async throws(LibraryError) -> Int {
        switch self {
        case .pause: try await pauseAll(in: library)
        case .resume: try await queueAll(from: .paused, in: library)
        case .retry: try await queueAll(from: .failed, in: library)
        }
    }

    private func pauseAll(in library: Library) async throws(LibraryError) -> Int {
        // The items that would continue by themselves come first, then the queued items, so that no
        // item takes the place of a running download.
        var count = try pauseWaitingForSpace(in: library)
        count += try moveAll(from: .queued, .pause, in: library)
        await library.queue.forgetNetworkWaits()
        for id in await library.queue.runningItems {
            do {
                _ = try await library.pause(id)
                count += 1
            } catch {
                // The download has ended in the meantime.
                guard error.code == .notPausable || error.code == .notFound else { throw error }
            }
        }
        // A running download may have filled the disk in the meantime.
        return try count + pauseWaitingForSpace(in: library)
    }

    /// Pauses the downloads that a full disk has paused, so that free space does not resume
    /// downloads.
    private func pauseWaitingForSpace(in library: Library) throws(LibraryError) -> Int {
        var count = 0
        let waiting = try LibraryError.rethrowing {
            try library.journal.items.itemsWaitingForSpace()
        }
        for id in waiting {
            let paused = try library.space.record { () throws(SQLiteError) in
                try library.journal.move(id, .pause, with: .set(\.error, nil))
            }
            if paused != nil { count += 1 }
        }
        return count
    }

    private func queueAll(
        from state: ItemState,
        in library: Library
    ) async throws(LibraryError) -> Int {
        let count = try moveAll(from: state, .retry, in: library)
        await library.queue.fill()
        return count
    }

    private func moveAll(
        from state: ItemState,
        _ move: ItemMove,
        in library: Library
    ) throws(LibraryError) -> Int {
        var count = 0
        while true {
            let changed = try library.space.record { () throws(SQLiteError) in
                try library.journal.moveSome(from: state, move)
            }
            guard changed > 0 else { return count }
            count += changed
        }
    }
}
