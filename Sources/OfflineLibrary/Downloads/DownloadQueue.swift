// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsSQLite

/// Runs the queued items, a few at a time, in the order they were asked for.
actor DownloadQueue {
    /// Which items a process works on.
    enum Scope: Hashable, Sendable {
        case everything
        case only(ItemID)
    }

    /// How many items run at once.
    static let limit = 3

    private let environment: DownloadEnvironment
    private let publisher: StatePublisher<QueueState>
    private var running: [ItemID: Task<Void, Never>] = [:]
    /// Items that are not begun although their rows say queued: about to be removed, or stopped by
    /// a failure that could not be recorded.
    private var withdrawn: Set<ItemID> = []
    /// Items that failed for want of a network; others take their turns meanwhile.
    private var offline: Set<ItemID> = []
    private var networkWait: Task<Void, Never>?
    private var scope: Scope?

    /// Prepares everything; nothing is begun before `start`.
    ///
    /// - Parameters:
    ///   - environment: What downloads work with.
    ///   - publisher: Where it tells what it works on.
    init(_ environment: DownloadEnvironment, publisher: StatePublisher<QueueState>) {
        self.environment = environment
        self.publisher = publisher
    }

    /// Begins to work; what an earlier process left behind goes on first.
    func start(_ scope: Scope) {
        self.scope = scope
        fill()
    }

    /// Looks for queued items to begin, and tells what it works on then.
    private func fill() {
        beginQueued()
        let state = QueueState(
            running: running.keys.sorted { $0.rawValue < $1.rawValue },
            waitingForNetwork: offline.sorted { $0.rawValue < $1.rawValue }
        )
        if publisher.lastData != state { publisher.updateData(state) }
    }

    private func beginQueued() {
        guard let scope, running.count < Self.limit else { return }
        let ids: [ItemID]
        do {
            ids = try environment.journal.registry.queuedItems()
        } catch {
            // Without its registry nothing can be begun; the next change asks again.
            return
        }
        for id in ids where running.count < Self.limit && running[id] == nil {
            if withdrawn.contains(id) || offline.contains(id) { continue }
            if case .only(let one) = scope, one != id { continue }
            launch(id)
        }
    }

    /// Stops an item's work, and begins none until it is admitted; returns when nothing of it
    /// runs any more.
    func withdraw(_ id: ItemID) async {
        withdrawn.insert(id)
        if let task = running[id] {
            task.cancel()
            await task.value
        }
        if offline.remove(id) != nil { environment.board.end(id) }
        fill()
    }

    /// Lets a queued item take its turn, one that was withdrawn or waits for the network too.
    func admit(_ id: ItemID) {
        withdrawn.remove(id)
        offline.remove(id)
        fill()
    }

    /// Stops everything; the items stay queued.
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
            ended(id, await download.run())
        }
    }

    private func ended(_ id: ItemID, _ end: ItemDownload.End) {
        running[id] = nil
        switch end {
        case .recorded: break
        case .unrecorded: withdrawn.insert(id)
        case .offline: waitForNetwork(id)
        }
        fill()
    }

    /// Leaves an item out until the network is back, or for the longest pause between two tries:
    /// what the system knows of its ways out may be wrong.
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
            // It may have to wait for its turn now.
            environment.board.update(id) { $0.waiting = nil }
            guard let progress = environment.board.progress(of: id) else { continue }
            environment.journal.post(DownloadProgressed(id: id, progress: progress))
        }
        offline = []
        fill()
    }
}
