// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import OfflineSources
import OfflineStore
package import Tidings
import TidingsHTTP
import TidingsSQLite

/// Runs the queued items that its schedule chooses.
package actor DownloadQueue {
    /// The items that a process downloads.
    package enum Scope: Hashable, Sendable {
        case nothing
        case everything
        case only(Set<ItemID>)
    }

    /// The time between two measurements of the running downloads, while other items wait.
    static let measurementInterval = Duration.seconds(1)

    let environment: DownloadEnvironment
    private let publisher: StatePublisher<QueueState>
    var schedule: DownloadSchedule
    var tasks: [ItemID: Task<Void, Never>] = [:]
    private var networkWait: Task<Void, Never>?
    private var measurement: Task<Void, Never>?
    /// The wait for the next start or end of the download hours.
    var hoursWait: Task<Void, Never>?
    /// The download hours, from the registry.
    var hours = DownloadHours.always
    var spaceWait: Task<Void, Never>?
    var spaceChecks = SpaceChecks()
    private var scope = Scope.nothing
    private var isStopped = false

    /// Creates a queue, which starts no download before `start`.
    ///
    /// - Parameters:
    ///   - environment: The dependencies of the downloads.
    ///   - publisher: The publisher of the queue's state.
    package init(_ environment: DownloadEnvironment, publisher: StatePublisher<QueueState>) {
        self.environment = environment
        self.publisher = publisher
        schedule = DownloadSchedule()
    }

    /// Starts the downloads in the order of their requests, which puts items of earlier processes
    /// first.
    ///
    /// After `stop`, this does nothing.
    package func start(_ scope: Scope) {
        guard !isStopped else { return }
        // Before the start, the queue ignores the requests that arrive.
        _ = environment.importRequests()
        self.scope = scope
        applySettings()
        continuePaused()
        fill()
    }

    /// Starts the items that the schedule chooses and publishes the state.
    package func fill() {
        guard scope != .nothing else { return }
        startQueued()
        let state = QueueState(
            running: schedule.runningItems,
            waitingForNetwork: schedule.offline.sorted { $0.rawValue < $1.rawValue },
            hoursBegin: schedule.isOpen ? nil : hours.begin,
            isDiskFull: schedule.isDiskFull
        )
        if publisher.lastData != state { publisher.updateData(state) }
        measureWhileWaiting()
    }

    private func startQueued() {
        guard isStarted else { return }
        // The queue reads waiting items only if one of the items can start.
        if schedule.isFull { return schedule.assumeWaiting() }
        // If the registry cannot be read, the next change of the queue tries again.
        for id in (try? chooseItems(in: scope)) ?? [] { launch(id) }
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
        switch outcome {
        case .recorded: spaceChecks.succeed()
        case .unrecorded(let isDiskFull):
            schedule.markUnrecorded(id)
            if isDiskFull { waitForSpace() }
        case .offline:
            if schedule.isHeld(id) {
                environment.progress.end(id)
            } else {
                waitForNetwork(id)
            }
        case .diskFull: waitForSpace()
        }
        fill()
    }

    /// Adds an item to the items that this process downloads.
    package func include(_ id: ItemID) {
        if case .only(let ids) = scope { scope = .only(ids.union([id])) }
        admit(id)
    }

    /// Downloads the items of the requests that other commands have stored.
    package func importRequests() {
        guard isStarted else { return }
        for id in environment.importRequests() { include(id) }
    }

    /// Stops an item's download, prevents a new download until `release`, and returns after the
    /// task has ended.
    ///
    /// Several callers may hold an item.
    package func hold(_ id: ItemID) async {
        if schedule.offline.contains(id) { environment.progress.end(id) }
        schedule.hold(id)
        if let task = tasks[id] {
            task.cancel()
            await task.value
        }
        fill()
    }

    /// Ends a hold.
    package func release(_ id: ItemID) {
        schedule.release(id)
        admit(id)
    }

    /// Permits the start of an item during the wait for the network and after a failure to record
    /// the item's state.
    package func admit(_ id: ItemID) {
        schedule.admit(id)
        recordInterruption(of: id)
        if schedule.isDiskFull { checkSpace() }
        fill()
    }

    /// Returns whether an item has no task although the item's row may say that a download is
    /// running.
    package func isUnrecorded(_ id: ItemID) -> Bool { schedule.unrecorded.contains(id) }

    /// Whether this process downloads an item.
    func includes(_ id: ItemID) -> Bool {
        switch scope {
        case .everything: true
        case .only(let ids): ids.contains(id)
        case .nothing: false
        }
    }

    /// Whether the queue is between `start` and `stop`.
    var isStarted: Bool { scope != .nothing && !isStopped }

    /// Stops all downloads.
    ///
    /// The items stay queued.
    package func stop() async {
        // From here on, the queue starts neither a wait nor an item.
        isStopped = true
        for wait in [networkWait, measurement, spaceWait, hoursWait] { wait?.cancel() }
        let tasks = tasks.values
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Skips an item until the network is back, but at most for the longest retry delay, because
    /// the system's view of the network may be wrong.
    private func waitForNetwork(_ id: ItemID) {
        schedule.waitForNetwork(id)
        guard networkWait == nil, isStarted else { return }
        let (connectivity, clock) = (environment.connectivity, environment.clock)
        let pause = environment.retries.longestDelay
        networkWait = Task {
            try? await connectivity.sleep(for: pause, on: clock, sinceOffline: true)
            endNetworkWait()
        }
    }

    private func endNetworkWait() {
        networkWait = nil
        for id in schedule.offline {
            // The reason is cleared here, because the item may have to wait for a place before the
            // next run.
            environment.progress.update(id) { $0.waiting = nil }
            guard let progress = environment.progress.progress(of: id) else { continue }
            environment.journal.post(DownloadProgressed(id: id, progress: progress))
        }
        schedule.endNetworkWait()
        fill()
    }

    /// Measures the running downloads as long as an item waits for a place.
    private func measureWhileWaiting() {
        guard schedule.hasWaiting, isStarted, measurement == nil else { return }
        schedule.beginMeasuring()
        let clock = environment.clock
        measurement = Task {
            while (try? await clock.sleep(for: Self.measurementInterval)) != nil, measure() {}
        }
    }

    /// Returns whether an item still waits.
    private func measure() -> Bool {
        let samples = environment.samples(of: schedule.runningItems)
        if schedule.measure(samples) { fill() }
        displaceStalled(samples)
        if !schedule.hasWaiting { measurement = nil }
        return schedule.hasWaiting
    }
}

extension DownloadEnvironment {
    /// Returns the states of running downloads.
    func samples(of ids: [ItemID]) -> [ItemID: DownloadSchedule.Sample] {
        let progress = progress.all
        // A speed limit may leave each download less than the rate of a stalled download.
        let share = clients.limit.rate.map { $0 / Int64(max(1, ids.count)) }
        var samples: [ItemID: DownloadSchedule.Sample] = [:]
        for id in ids {
            guard let progress = progress[id], let item = try? journal.items.item(id) else {
                continue
            }
            let rate = [share, clients.itemLimits.rate(of: id)].compactMap(\.self).min()
            let canStall = rate.map { $0 > 4 * StallMeter.leastRate } ?? true
            let isTransferring = [.fetching, .fetchingPlaylist].contains(item.state)
            samples[id] = DownloadSchedule.Sample(
                receivedBytes: progress.receivedBytes,
                isRetrying: progress.waiting != nil,
                isTransferring: isTransferring && canStall,
                isStoppable: (isTransferring || item.state == .queued) && !item.isRecording
            )
        }
        return samples
    }
}
