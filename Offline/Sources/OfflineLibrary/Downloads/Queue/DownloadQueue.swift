// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsSQLite

/// Runs the queued items that its schedule chooses.
actor DownloadQueue {
    /// The items that a process downloads.
    enum Scope: Hashable, Sendable {
        case everything
        case only(Set<ItemID>)

        func contains(_ id: ItemID) -> Bool {
            switch self {
            case .everything: true
            case .only(let ids): ids.contains(id)
            }
        }
    }

    /// The time between two measurements of the running downloads, while others wait.
    static let measurementInterval = Duration.seconds(1)

    let environment: DownloadEnvironment
    private let publisher: StatePublisher<QueueState>
    var schedule: DownloadSchedule
    private var tasks: [ItemID: Task<Void, Never>] = [:]
    private var networkWait: Task<Void, Never>?
    private var measurement: Task<Void, Never>?
    var spaceWait: Task<Void, Never>?
    var spaceChecks = SpaceChecks()
    private var scope: Scope?

    /// Creates a queue, which starts no download before `start`.
    ///
    /// - Parameters:
    ///   - environment: The dependencies of the downloads.
    ///   - places: The number of items that download at once.
    ///   - publisher: The publisher of the queue's state.
    init(
        _ environment: DownloadEnvironment,
        places: PlaceCount,
        publisher: StatePublisher<QueueState>
    ) {
        self.environment = environment
        self.publisher = publisher
        schedule = DownloadSchedule(places)
    }

    /// Starts the downloads in the order of their requests, those of earlier processes first.
    func start(_ scope: Scope) {
        self.scope = scope
        continuePaused()
        fill()
    }

    /// Starts the items that the schedule chooses and publishes the state.
    func fill() {
        startQueued()
        let state = QueueState(
            running: schedule.runningItems,
            waitingForNetwork: schedule.items(.offline)
        )
        if publisher.lastData != state { publisher.updateData(state) }
        measureWhileWaiting()
    }

    private func startQueued() {
        guard let scope else { return }
        let queued: [DownloadSchedule.Candidate]
        do {
            queued = try environment.journal.registry.queuedItems()
        } catch {
            // The registry cannot be read. The next change of the queue tries again.
            return
        }
        let candidates = queued.filter { scope.contains($0.id) }
        for id in schedule.start(from: candidates) { launch(id) }
    }

    private func launch(_ id: ItemID) {
        let download = ItemDownload(environment: environment, id: id)
        tasks[id] = Task {
            finished(id, await download.run())
        }
    }

    private func finished(_ id: ItemID, _ outcome: ItemDownload.Outcome) {
        tasks[id] = nil
        schedule.end(id)
        // A caller that changes the item decides about its next run.
        let isHeld = schedule.hindrance(of: id) == .held
        switch outcome {
        case .recorded: spaceChecks.succeed()
        case .unrecorded(let isDiskFull):
            if !isHeld { schedule.hinder(id, .unrecorded) }
            if isDiskFull { waitForSpace() }
        case .offline:
            if !isHeld { waitForNetwork(id) }
        case .diskFull: waitForSpace()
        }
        fill()
    }

    /// Adds an item to those that this process downloads.
    func include(_ id: ItemID) {
        if case .only(let ids) = scope { scope = .only(ids.union([id])) }
        admit(id)
    }

    /// Stops an item's download, prevents a new one until `admit`, and returns after its end.
    func hold(_ id: ItemID) async {
        if schedule.hindrance(of: id) == .offline { environment.progress.end(id) }
        schedule.hinder(id, .held)
        if let task = tasks[id] {
            task.cancel()
            await task.value
        }
        fill()
    }

    /// Permits the start of an item, also after `hold` and during the wait for the network.
    func admit(_ id: ItemID) {
        if isUnrecorded(id) { _ = try? environment.journal.move(id, .interrupt) }
        schedule.hinder(id, nil)
        if schedule.isDiskFull { checkSpace() }
        fill()
    }

    /// Returns whether an item is in no task although its row says that it is being downloaded.
    func isUnrecorded(_ id: ItemID) -> Bool { schedule.hindrance(of: id) == .unrecorded }

    /// Stops all downloads; their items stay queued.
    func stop() async {
        scope = nil
        for wait in [networkWait, measurement, spaceWait] { wait?.cancel() }
        let tasks = tasks.values
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Skips an item until the network is back, at most for the longest retry delay, because the
    /// system's view of the network may be wrong.
    private func waitForNetwork(_ id: ItemID) {
        schedule.hinder(id, .offline)
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
        for id in schedule.items(.offline) {
            // Cleared here, because the item may have to wait for a place first.
            environment.progress.update(id) { $0.waiting = nil }
            guard let progress = environment.progress.progress(of: id) else { continue }
            environment.journal.post(DownloadProgressed(id: id, progress: progress))
        }
        schedule.clear(.offline)
        fill()
    }

    /// Measures the running downloads as long as an item waits for a place.
    private func measureWhileWaiting() {
        guard schedule.hasWaiting, scope != nil, measurement == nil else { return }
        let clock = environment.clock
        measurement = Task {
            while (try? await clock.sleep(for: Self.measurementInterval)) != nil, measure() {}
        }
    }

    /// Returns whether an item still waits.
    private func measure() -> Bool {
        schedule.measure(environment.samples(of: schedule.runningItems))
        fill()
        if !schedule.hasWaiting { measurement = nil }
        return schedule.hasWaiting
    }
}

extension DownloadEnvironment {
    fileprivate func samples(of ids: [ItemID]) -> [ItemID: DownloadSchedule.Sample] {
        let progress = progress.all
        var samples: [ItemID: DownloadSchedule.Sample] = [:]
        for id in ids {
            guard let progress = progress[id], let item = try? journal.registry.item(id) else {
                continue
            }
            samples[id] = DownloadSchedule.Sample(
                receivedBytes: progress.receivedBytes,
                isRetrying: progress.waiting != nil,
                isTransferring: [.fetching, .fetchingPlaylist].contains(item.state)
            )
        }
        return samples
    }
}
