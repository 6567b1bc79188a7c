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
    private var running: [ItemID: Task<Void, Never>] = [:]
    /// Items that are not begun although their rows say queued: about to be removed, or stopped by
    /// a failure that could not be recorded.
    private var withdrawn: Set<ItemID> = []
    private var scope: Scope?

    init(_ environment: DownloadEnvironment) {
        self.environment = environment
    }

    /// Begins to work; what an earlier process left behind goes on first.
    func start(_ scope: Scope) {
        self.scope = scope
        fill()
    }

    /// Looks for queued items to begin.
    private func fill() {
        guard let scope, running.count < Self.limit else { return }
        let ids: [ItemID]
        do {
            ids = try environment.journal.registry.queuedItems()
        } catch {
            // Without its registry nothing can be begun; the next change asks again.
            return
        }
        for id in ids where running.count < Self.limit && running[id] == nil {
            if withdrawn.contains(id) { continue }
            if case .only(let one) = scope, one != id { continue }
            launch(id)
        }
    }

    /// Stops an item's work, and begins none until it is admitted; returns when nothing of it
    /// runs any more.
    func withdraw(_ id: ItemID) async {
        withdrawn.insert(id)
        guard let task = running[id] else { return }
        task.cancel()
        await task.value
    }

    /// Lets a queued item take its turn, one that was withdrawn too.
    func admit(_ id: ItemID) {
        withdrawn.remove(id)
        fill()
    }

    /// Stops everything; the items stay queued.
    func stop() async {
        scope = nil
        let tasks = running.values
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func launch(_ id: ItemID) {
        let download = ItemDownload(environment: environment, id: id)
        running[id] = Task {
            let isRecorded = await download.run()
            ended(id, isRecorded: isRecorded)
        }
    }

    private func ended(_ id: ItemID, isRecorded: Bool) {
        running[id] = nil
        if !isRecorded { withdrawn.insert(id) }
        fill()
    }
}
