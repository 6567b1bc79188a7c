// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsSQLite

extension DownloadQueue {
    /// Returns the items to start now, in the order of the queue.
    ///
    /// Reads a bounded number of rows, however many are queued.
    func chooseItems(in scope: Scope) throws(SQLiteError) -> [ItemID] {
        let registry = environment.journal.registry
        if case .only(let ids) = scope {
            return schedule.start(from: try registry.queuedItems(among: ids))
        }
        guard schedule.isOpen else { return schedule.start(from: try registry.queuedRecordings()) }
        let first = try registry.queuedItems()
        let started = schedule.start(from: first)
        guard first.count == Registry.queueBatch, !schedule.isFull else { return started }
        // All of them may be of servers that have no place, while others do.
        let more = try registry.queuedItems(DownloadSchedule.maximumRunning) { host in
            schedule.hasPlace(for: host)
        }
        return started + schedule.start(from: first + more)
    }

    /// Stops a stalled download if those take every place, and an item of another server waits.
    func displaceStalled(_ samples: [ItemID: DownloadSchedule.Sample]) {
        guard schedule.isClogged else { return }
        let registry = environment.journal.registry
        let waiting = (try? registry.queuedItems(1) { !schedule.isRunning(host: $0) }) ?? []
        let own = waiting.filter { includes($0.id) }
        guard let id = schedule.displace(for: own, samples) else { return }
        // The item is queued again; its task then fills its place.
        tasks[id]?.cancel()
    }

    /// The items that are being downloaded.
    var runningItems: [ItemID] { schedule.runningItems }

    /// Ends the waits for the network of items that are no longer queued.
    func forgetNetworkWaits() {
        for id in schedule.offline {
            guard (try? environment.journal.registry.item(id)?.state) != .queued else { continue }
            environment.progress.end(id)
            schedule.admit(id)
        }
        fill()
    }
}
