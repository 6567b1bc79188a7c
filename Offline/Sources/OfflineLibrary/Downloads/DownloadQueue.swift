// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsSQLite

/// Runs the queued items, a few at a time, in the order of their requests.
actor DownloadQueue {
    /// The items that a process downloads.
    enum Scope: Hashable, Sendable {
        case everything
        case only(ItemID)
    }

    /// The maximum number of items that run at once.
    static let limit = 3

    private let environment: DownloadEnvironment
    private let publisher: StatePublisher<QueueState>
    private var running: [ItemID: Task<Void, Never>] = [:]
    /// Items that are not started although their rows are in the state `queued`: a removal is in
    /// progress, or their last failure could not be recorded.
    private var withdrawn: Set<ItemID> = []
    /// Items that failed without a network; other queued items run in the meantime.
    private var offline: Set<ItemID> = []
    private var networkWait: Task<Void, Never>?
    private var scope: Scope?

    /// Creates a queue, which starts no download before `start`.
    ///
    /// - Parameters:
    ///   - environment: The dependencies of the downloads.
    ///   - publisher: The publisher of the queue's state.
    init(_ environment: DownloadEnvironment, publisher: StatePublisher<QueueState>) {
        self.environment = environment
        self.publisher = publisher
    }

    /// Starts the downloads in the order of their requests, those of earlier processes first.
    func start(_ scope: Scope) {
        self.scope = scope
        fill()
    }

    /// Starts queued items up to the limit and publishes the state.
    private func fill() {
        startQueued()
        let state = QueueState(
            running: running.keys.sorted { $0.rawValue < $1.rawValue },
            waitingForNetwork: offline.sorted { $0.rawValue < $1.rawValue }
        )
        if publisher.lastData != state { publisher.updateData(state) }
    }

    private func startQueued() {
        guard let scope, running.count < Self.limit else { return }
        let ids: [ItemID]
        do {
            ids = try environment.journal.registry.queuedItems()
        } catch {
            // The registry cannot be read. The next change of the queue tries again.
            return
        }
        for id in ids where running.count < Self.limit && running[id] == nil {
            if withdrawn.contains(id) || offline.contains(id) { continue }
            if case .only(let one) = scope, one != id { continue }
            launch(id)
        }
    }

    /// Stops an item's download, prevents a new one until `admit`, and returns after its end.
    func withdraw(_ id: ItemID) async {
        withdrawn.insert(id)
        if let task = running[id] {
            task.cancel()
            await task.value
        }
        if offline.remove(id) != nil { environment.progress.end(id) }
        fill()
    }

    /// Permits the start of an item, also after `withdraw` and during the wait for the network.
    func admit(_ id: ItemID) {
        withdrawn.remove(id)
        offline.remove(id)
        fill()
    }

    /// Stops all downloads; their items stay queued.
    func stop() async {
        scope = nil
        networkWait?.cancel()
        let tasks = running.values
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func launch(_ id: ItemID) {
        let download = ItemDownload(environment: environment, id: id)
        running[id] = Task {
            finished(id, await download.run())
        }
    }

    private func finished(_ id: ItemID, _ outcome: ItemDownload.Outcome) {
        running[id] = nil
        switch outcome {
        case .recorded: break
        case .unrecorded: withdrawn.insert(id)
        case .offline: waitForNetwork(id)
        }
        fill()
    }

    /// Skips an item until the network is back, at most for the longest retry delay, because the
    /// system's view of the network may be wrong.
    private func waitForNetwork(_ id: ItemID) {
        offline.insert(id)
        guard networkWait == nil else { return }
        let (connectivity, clock) = (environment.connectivity, environment.clock)
        let pause = environment.retries.longestDelay
        networkWait = Task {
            try? await connectivity.sleep(for: pause, on: clock, sinceOffline: true)
            endNetworkWait()
        }
    }

    private func endNetworkWait() {
        networkWait = nil
        for id in offline {
            // Cleared here, because the item may have to wait for a free slot first.
            environment.progress.update(id) { $0.waiting = nil }
            guard let progress = environment.progress.progress(of: id) else { continue }
            environment.journal.post(DownloadProgressed(id: id, progress: progress))
        }
        offline = []
        fill()
    }
}
