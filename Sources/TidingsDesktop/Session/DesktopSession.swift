// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import Dispatch
internal import Tidings
internal import TidingsUserNotifications

/// Performs the actions of ``DaemonState`` on a serial queue that owns the bus connection.
actor DesktopSession: BusActor {
    /// The bus address and the timeouts of a session.
    struct Settings: Sendable {
        /// Returns the address of the bus before each attempt to connect.
        var address: @Sendable () -> String?
        /// The timeout for the bus, the daemon and the portal.
        var limit = Duration.seconds(5)
        /// The timeout for an answer about do-not-disturb mode.
        var quietLimit = Duration.seconds(1)
        /// The pause after a failed start before the next attempt.
        var startPause = Duration.seconds(10)
        /// The delay before the first reconnection, which doubles with each attempt, up to a
        /// minute.
        var firstRetry = Duration.seconds(1)
        /// Returns a variable of the environment, used to find players and settings.
        var environment: @Sendable (String) -> String? = { _ in nil }
        /// Shows the program with a token for the window, or nil for a program that the message bus
        /// does not start.
        var onActivate: (@Sendable (String?) -> Void)?
    }

    /// The replies that a new connection must receive before it is open.
    struct Handshake {
        var remainingSteps = 5
        var owner: String?
        var isActivatable = false
    }

    private struct Waiter {
        let isDone: @Sendable (DaemonState) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    let executor = BusExecutor(label: "tidings.desktop")
    let settings: Settings
    /// The current features, for synchronous readers.
    nonisolated let features = FeatureCache()
    var state = DaemonState()
    var connection: BusConnection?
    /// The number of the current connection, so that callbacks of earlier connections are ignored.
    var generation = 0
    var handshake: Handshake?
    /// The number of the current start of a daemon, so that callbacks of earlier starts are
    /// ignored.
    var startGeneration = 0
    var badge = 0
    /// The timer with which the system must start the closed program, or nil for never.
    var programStart: ProgramTimer?
    /// The timer in the system, as far as this process has set the timer.
    var systemTimer: ProgramTimer?
    /// The name that the daemon reports.
    var server = ""
    /// Whether the program plays a sound in the daemon's place.
    var isPlaying = false
    private var events: (@Sendable (NotificationBackendEvent) -> Void)?
    private var results: [Int: CheckedContinuation<NotificationBackendResult, Never>] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var timeouts: [Int: DispatchWorkItem] = [:]
    private var lastTicket = 0
    private var retryDelay: Duration

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(settings: Settings) {
        self.settings = settings
        retryDelay = settings.firstRetry
    }

    func setProgram(_ program: NotifyArguments.Program) {
        let isBadgeShown = badge > 0 && connection != nil && handshake == nil
        if isBadgeShown { try? connection?.emit(LauncherEntry.update(0, of: state.program)) }
        state.program = program
        if isBadgeShown { emitBadge() }
    }

    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        self.events = events
        state.player = SoundPlayer(environment: settings.environment)
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

    /// Performs the actions of `begin` and waits for the result, until `end` or for the limit.
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

    /// Waits until a condition holds, until `end` or for the limit.
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

    /// Performs actions in order, then resumes the waiters whose conditions hold.
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
                        .ofDaemon(owner, "CloseNotification", body: [.uint32(id)]),
                        limit: settings.limit
                    ) { _ in }
            case .play(let command): play(command)
            case .settle(let ticket, let result): settle(ticket, result)
            case .deliver(let event): deliver(event)
            }
        }
        for (ticket, waiter) in waiters where waiter.isDone(state) { resume(ticket) }
    }

    /// Schedules a reconnection, if a center observes events or the bus did not respond.
    func retry() {
        guard events != nil || state.unresponsiveReason != nil else { return }
        let delay = retryDelay
        retryDelay = min(retryDelay * 2, .seconds(60))
        after(delay) { $0.perform($0.state.connect(isRetry: true)) }
    }

    /// Starts the backoff again at the first delay.
    func resetRetryDelay() {
        retryDelay = settings.firstRetry
    }

    private func deliver(_ event: NotificationBackendEvent) {
        if case .availabilityChanged = event { features.set(state.features) }
        events?(event)
    }

    private func settle(_ ticket: Int, _ result: NotificationBackendResult) {
        timeouts.removeValue(forKey: ticket)?.cancel()
        results.removeValue(forKey: ticket)?.resume(returning: result)
    }

    private func resume(_ ticket: Int) {
        timeouts.removeValue(forKey: ticket)?.cancel()
        waiters.removeValue(forKey: ticket)?.continuation.resume()
    }

    private func nextTicket(
        before end: ContinuousClock.Instant?,
        expired: @escaping @Sendable (isolated DesktopSession, Int) -> Void
    ) -> Int {
        lastTicket += 1
        let ticket = lastTicket
        let item = DispatchWorkItem(block: callback { expired($0, ticket) })
        timeouts[ticket] = item
        let limit = end.map { max($0 - .now, .zero) } ?? settings.limit
        executor.queue.asyncAfter(deadline: .now() + limit.asInterval, execute: item)
        return ticket
    }
}
#endif
