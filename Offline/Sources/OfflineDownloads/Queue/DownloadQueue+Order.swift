// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import OfflineStore
import Tidings
import TidingsSQLite

extension DownloadQueue {
    /// Returns the items to start now, in the order of the queue.
    ///
    /// The method reads a bounded number of rows, however many items are queued.
    func chooseItems(in scope: Scope) throws(SQLiteError) -> [ItemID] {
        let queue = environment.journal.queue
        if case .only(let ids) = scope {
            return schedule.start(from: try queue.queuedItems(among: ids))
        }
        guard schedule.isOpen else { return schedule.start(from: try queue.queuedRecordings()) }
        let first = try queue.queuedItems()
        let started = schedule.start(from: first)
        guard first.count == QueueReader.queueBatch, !schedule.isFull else { return started }
        // All of these items may belong to servers without a free place, while other servers have
        // free places.
        let more = try queue.queuedItems(DownloadSchedule.maximumRunning) { host in
            schedule.hasPlace(for: host)
        }
        return started + schedule.start(from: first + more)
    }

    /// Stops a stalled download if downloads take every place and an item of another server waits.
    func displaceStalled(_ samples: [ItemID: DownloadSchedule.Sample]) {
        guard schedule.isClogged else { return }
        let queue = environment.journal.queue
        let waiting = (try? queue.queuedItems(1) { !schedule.isRunning(host: $0) }) ?? []
        let own = waiting.filter { includes($0.id) }
        guard let id = schedule.displace(for: own, samples) else { return }
        // The item is queued again. When the task ends, the queue fills the place.
        tasks[id]?.cancel()
    }

    /// The items that are being downloaded.
    package var runningItems: [ItemID] { schedule.runningItems }

    /// Ends the waits for the network of items that are no longer queued.
    package func forgetNetworkWaits() {
        for id in schedule.offline {
            guard (try? environment.journal.items.item(id)?.state) != .queued else { continue }
            environment.progress.end(id)
            schedule.admit(id)
        }
        fill()
    }
}
