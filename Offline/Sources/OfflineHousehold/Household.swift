// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineAPI
import OfflineDownloads
package import OfflineLibrary
import OfflineModel
import OfflineStore
import Tidings
package import TidingsBridge
import TidingsLock

/// Joins a library with the libraries of other machines.
///
/// The household reports ended downloads in both directions.
///
/// The household has a separate message center, so that nothing from the network can take the place
/// of a message of the library. Accepted messages are posted on the library's center as
/// `DownloadEndedElsewhere`. Addresses that other machines hand to this machine are queued.
package final class Household: HouseholdService {
    /// Posted when the page may have to show something else.
    private struct Changed: Message {}

    /// Posted when a new machine waits for the reports of the other machines.
    private struct MachineArrived: Message {}

    private struct State {
        var list = MachineList()
        var isConnected = false
        var access = HouseholdAccess()
        /// The overview that the page was last asked to load.
        var announced: HouseholdOverview?
        var reports: Task<Void, Never>?
        /// The observation of addresses for any machine, or nil while this machine takes no such
        /// addresses.
        var taking: ObservationToken?
        var page: @Sendable () -> MachinePage? = { nil }
    }

    /// How long the end of the program waits for the server.
    private static let closingTime = Duration.seconds(2)
    /// The shortest time between two reactions to other machines, which could send any number of
    /// messages.
    private static let pace = Duration.seconds(1)
    /// How long a machine that has taken an address may be silent before another machine gets the
    /// address.
    private static let workLimit = Duration.seconds(10)

    let library: Library
    private let name: LineOfText
    private let center = MessageCenter()
    let bridge: Bridge
    let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let state = Lock(State())

    /// Creates a household that is not started.
    ///
    /// - Parameters:
    ///   - library: The library of this machine.
    ///   - name: The name of this machine for the other machines.
    ///   - space: The name that all machines share.
    ///   - transport: The way to the server.
    ///   - clock: The clock that measures the ages of reports.
    package init(
        library: Library,
        name: String,
        space: String,
        transport: some BridgeTransport,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.library = library
        self.name = LineOfText(name, fallback: "A machine")
        self.clock = clock
        let begin = clock.now
        elapsed = { begin.duration(to: clock.now) }
        var options = BridgeOptions()
        options.workLimit = Self.workLimit
        bridge = Bridge(
            center: center,
            space: space,
            transport: transport,
            storage: "\(library.directory.data)/household/\(space)",
            options: options,
            clock: clock
        ) {
            Crossing(DownloadNews.self, .durable)
            Crossing(MachinePresence.self, .transient)
            Crossing(AddressForAny.self, .shared(group: "machines"))
            Crossing(AddressForMachine.self, .durable)
        }
        observe(Changed.self, pacedBy: clock) { $0.announce() }
        observe(MachineArrived.self, pacedBy: clock) { $0.report() }
    }

    deinit { state.withLock { $0.reports }?.cancel() }

    /// Starts to carry messages.
    ///
    /// The start succeeds even while the server is down.
    ///
    /// - Parameter page: A closure that returns the address of this machine's page for other
    ///   machines.
    /// - Throws: `BridgeError` with `.inUse` or `.storage`.
    package func start(page: @escaping @Sendable () -> MachinePage?) async throws(BridgeError) {
        state.withLock { $0.page = page }
        let taker = AddressTaker(library)
        // The item is removed before the library starts the download. If the registry fails,
        // another part of the library reports the error.
        try? await taker.giveBack()
        takeOrLeaveAddresses(taker)
        center.messages(of: AddressForMachine.self).observe(owner: self) { household, message in
            guard message.origin == household.bridge.origin else { return }
            try await taker.keep(message.address)
        }
        center.observe(DownloadNews.self, owner: self) { $0.receive($1) }
        center.observe(MachinePresence.self, owner: self) { $0.receive($1) }
        try await bridge.start()
        library.messages.observe(DownloadCompleted.self, owner: self) { household, message in
            household.tell(message.item, failure: nil)
        }
        library.messages.observe(DownloadFailed.self, owner: self) { household, message in
            household.tell(message.item, failure: message.error.messageForOthers)
        }
        bridge.status.observe(owner: self) { household, state in
            household.connectionChanged(to: state.value?.isConnected ?? false)
            household.checkAccess()
        }
        let (clock, interval) = (clock, MachineList.interval)
        let task = Task { [weak self] in
            while (try? await clock.sleep(for: interval)) != nil {
                guard let self else { return }
                self.takeOrLeaveAddresses(taker)
                self.report()
                self.checkAccess()
                let time = self.elapsed()
                if self.state.withLock({ $0.list.removeOld(at: time) }) { self.changed() }
            }
        }
        state.withLock { $0.reports = task }
    }

    /// Takes addresses for any machine while the disk has space.
    ///
    /// Without an observer, the group keeps the addresses or gives them to another machine. A
    /// failed handler would count as an attempt.
    private func takeOrLeaveAddresses(_ taker: AddressTaker) {
        let (hasSpace, taking) = (taker.hasSpace, state.withLock { $0.taking })
        if hasSpace, taking == nil {
            let token = center.messages(of: AddressForAny.self).observe(owner: self) {
                household,
                message in
                defer { household.takeOrLeaveAddresses(taker) }
                try await taker.take(message.address)
            }
            state.withLock { $0.taking = token }
        } else if !hasSpace, let taking {
            state.withLock { $0.taking = nil }
            taking.cancel()
        }
    }

    /// Says goodbye to the other machines and stops.
    ///
    /// Messages for other machines stay on the disk.
    package func stop() async {
        state.withLock { state -> Task<Void, Never>? in
            defer { state.reports = nil }
            return state.reports
        }?.cancel()
        report(isLeaving: true)
        _ = try? await bridge.close(within: Self.closingTime)
    }

    /// Returns the connection and the machines that are here now.
    package func overview() -> HouseholdOverview {
        let time = elapsed()
        var overview = HouseholdOverview()
        overview.isJoined = true
        overview.name = name.text
        var list = state.withLock(\.list)
        list.removeOld(at: time)
        overview.machines = list.machines
        guard let status = bridge.status.state.value else { return overview }
        overview.isConnected = status.isConnected
        overview.since = status.since
        overview.outboxCount = status.outboxCount
        overview.problem = status.isConnected ? nil : status.fault?.message
        return overview
    }

    /// Returns the origins of the machines with this name that are here now.
    func origins(named name: String) -> [String] {
        let time = elapsed()
        return state.withLock { state in
            state.list.removeOld(at: time)
            return state.list.origins(named: name)
        }
    }

    private func observe(
        _ type: (some Message).Type,
        pacedBy clock: some Clock<Duration>,
        _ handler: @escaping @Sendable (Household) -> Void
    ) {
        center.messages(of: type).throttled(for: Self.pace, clock: clock)
            .observe(owner: self) { household, _ in handler(household) }
    }

    // MARK: From this machine

    private func tell(_ item: MediaItem, failure: String?) {
        guard mayTell(isFailure: failure != nil) else { return }
        center.post(
            DownloadNews(
                machine: name,
                item: item.id,
                title: LineOfText(item.title, fallback: "An item"),
                isPlayable: item.isPlayable,
                failure: failure.map { LineOfText($0) },
                page: page()
            )
        )
    }

    /// Whether this machine's settings show the end of a download outside the page.
    ///
    /// A user who wants no such notification on this machine has not asked for one on other
    /// machines.
    private func mayTell(isFailure: Bool) -> Bool {
        guard let settings = try? library.settings(), settings.notifyOn == .desktop,
            isFailure || settings.notify == .all
        else { return false }
        return (try? library.journal.preferences.preference(NotificationPreference.key)) != .denied
    }

    private func report(isLeaving: Bool = false) {
        let counts = library.journal.counts.lastData
        center.post(
            MachinePresence(
                machine: name,
                page: page(),
                freeBytes: library.freeBytes,
                readyCount: counts?.states[.ready] ?? 0,
                waitingCount: counts?.waiting ?? 0,
                isLeaving: isLeaving
            )
        )
    }

    private func page() -> MachinePage? { state.withLock(\.page)() }

    /// The bridge also publishes a status after each message, so only a new connection causes a
    /// report.
    private func connectionChanged(to isConnected: Bool) {
        let isNew = state.withLock { state in
            defer { state.isConnected = isConnected }
            return isConnected && !state.isConnected
        }
        if isNew { report() }
        changed()
    }

    /// Posts a change of the access that the user must know about.
    private func checkAccess() {
        guard let status = bridge.status.state.value else { return }
        let time = elapsed()
        let change = state.withLock {
            $0.access.note(isConnected: status.isConnected, fault: status.fault, at: time)
        }
        if let change { library.messages.post(change) }
    }

    private func changed() { center.post(Changed()) }

    private func announce() {
        let overview = overview()
        let isNew = state.withLock { state in
            defer { state.announced = overview }
            return state.announced != overview
        }
        if isNew { library.messages.post(MachinesChanged()) }
    }

    // MARK: From the others

    private func receive(_ news: DownloadNews) {
        // A message of this machine has no envelope.
        guard let envelope = BridgeEnvelope.current else { return }
        library.messages.post(
            DownloadEndedElsewhere(
                machine: news.machine.text.isEmpty ? "another machine" : news.machine.text,
                origin: LineOfText(envelope.origin, longest: 100).text,
                item: news.item,
                title: news.title.text.isEmpty ? "An item" : news.title.text,
                isPlayable: news.isPlayable,
                failure: news.failure?.text,
                page: news.page
            )
        )
    }

    private func receive(_ presence: MachinePresence) {
        guard let origin = BridgeEnvelope.current?.origin, !origin.isEmpty,
            origin.utf8.count <= 100, !presence.machine.text.isEmpty
        else { return }
        let time = elapsed()
        let isNew = state.withLock { $0.list.note(presence, of: origin, at: time) }
        // The task is detached, because the report must not carry the envelope of the message in
        // progress.
        if isNew { Task.detached { [weak self] in self?.center.post(MachineArrived()) } }
        changed()
    }
}
