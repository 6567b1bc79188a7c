// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Tidings
internal import TidingsUserNotifications

/// Does what ``DaemonState`` decides, on one serial queue that owns the connection to the bus.
actor DesktopSession: BusActor {
    struct Settings: Sendable {
        /// Where the bus listens; asked before each attempt.
        var address: @Sendable () -> String?
        /// How long anybody is waited for.
        var limit = Duration.seconds(5)
        /// How long nobody is started again after that has failed.
        var startPause = Duration.seconds(10)
        /// How long after a loss the bus is looked for again; doubled each time, up to a minute.
        var firstRetry = Duration.seconds(1)
    }

    /// What is asked of a bus before anything is shown.
    struct Greeting {
        var awaited = 4
        var owner: String?
        var isActivatable = false
    }

    private struct Waiter {
        let isDone: @Sendable (DaemonState) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    let executor = BusExecutor(label: "tidings.desktop")
    let settings: Settings
    /// What can be shown now, for those who ask without waiting.
    nonisolated let features = FeatureBox()
    var state = DaemonState()
    var connection: BusConnection?
    /// Tells the connection that is from those that were.
    var generation = 0
    var greeting: Greeting?
    /// Tells the start of a daemon that is from those that were.
    var startNumber = 0
    var badge = 0
    /// What the owner of the name calls itself.
    var server = ""
    private var events: (@Sendable (NotificationBackendEvent) -> Void)?
    private var results: [Int: CheckedContinuation<NotificationBackendResult, Never>] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var limits: [Int: DispatchWorkItem] = [:]
    private var lastTicket = 0
    private var nextRetry: Duration

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(settings: Settings) {
        self.settings = settings
        nextRetry = settings.firstRetry
    }

    func use(_ program: NotifyArguments.Program) {
        state.program = program
    }

    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        self.events = events
        perform(state.connect())
    }

    func show(_ notification: UserNotification) async -> NotificationBackendResult {
        await result { state.show(.init(notification: notification, ticket: $0)) }
    }

    func close(_ identifier: String) {
        perform(state.close(identifier))
    }

    func availability() async -> NotificationAvailability {
        perform(state.connect())
        await wait { $0.availability != nil }
        return state.availability ?? .unavailable("The message bus does not answer.")
    }

    /// Awaits the result of what `begin` begins, at most as long as the limit or until `end`.
    func result(
        before end: ContinuousClock.Instant? = nil,
        of begin: (_ ticket: Int) -> [DaemonState.Action]
    ) async -> NotificationBackendResult {
        await withCheckedContinuation { continuation in
            let ticket = nextTicket(before: end) { session, ticket in
                session.perform(session.state.expired(ticket))
            }
            results[ticket] = continuation
            perform(begin(ticket))
        }
    }

    /// Waits until a condition holds, at most as long as the limit or until `end`.
    func wait(
        before end: ContinuousClock.Instant? = nil,
        until isDone: @escaping @Sendable (DaemonState) -> Bool
    ) async {
        guard !isDone(state) else { return }
        await withCheckedContinuation { continuation in
            let ticket = nextTicket(before: end) { session, ticket in session.resume(ticket) }
            waiters[ticket] = Waiter(isDone: isDone, continuation: continuation)
        }
    }

    /// Does what was decided, in its order.
    func perform(_ actions: [DaemonState.Action]) {
        for action in actions {
            switch action {
            case .open: open()
            case .start: startDaemon()
            case .describe(let owner): describe(owner)
            case .notify(let notify): send(notify)
            case .close(let owner, let id):
                connection?
                    .call(
                        .ofDaemon(owner, "CloseNotification", [.uint32(id)]),
                        limit: settings.limit
                    ) { _ in }
            case .settle(let ticket, let result): settle(ticket, result)
            case .tell(let event): tell(event)
            }
        }
        for (ticket, waiter) in waiters where waiter.isDone(state) { resume(ticket) }
    }

    /// Looks for the bus again after a while, if anybody wants to hear of it.
    func retry() {
        guard events != nil || state.silence != nil else { return }
        let delay = nextRetry
        nextRetry = min(nextRetry * 2, .seconds(60))
        after(delay) { $0.perform($0.state.connect(isRetry: true)) }
    }

    func retryAnew() {
        nextRetry = settings.firstRetry
    }

    private func tell(_ event: NotificationBackendEvent) {
        if case .availabilityChanged = event { features.set(state.features) }
        events?(event)
    }

    private func settle(_ ticket: Int, _ result: NotificationBackendResult) {
        limits.removeValue(forKey: ticket)?.cancel()
        results.removeValue(forKey: ticket)?.resume(returning: result)
    }

    private func resume(_ ticket: Int) {
        limits.removeValue(forKey: ticket)?.cancel()
        waiters.removeValue(forKey: ticket)?.continuation.resume()
    }

    private func nextTicket(
        before end: ContinuousClock.Instant?,
        expired: @escaping @Sendable (isolated DesktopSession, Int) -> Void
    ) -> Int {
        lastTicket += 1
        let ticket = lastTicket
        let item = DispatchWorkItem(block: here { expired($0, ticket) })
        limits[ticket] = item
        let limit = end.map { max($0 - .now, .zero) } ?? settings.limit
        executor.queue.asyncAfter(deadline: .now() + limit.asInterval, execute: item)
        return ticket
    }
}

/// Features that are read from any thread.
final class FeatureBox: Sendable {
    private let features = Lock(DaemonState.usualFeatures)

    var value: NotificationFeatures { features.withLock(\.self) }

    func set(_ features: NotificationFeatures) {
        self.features.withLock { $0 = features }
    }
}
