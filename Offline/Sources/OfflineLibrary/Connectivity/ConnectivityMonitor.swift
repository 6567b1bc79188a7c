// SPDX-License-Identifier: Apache-2.0
package import Tidings
import TidingsLock

/// Publishes the machine's connectivity as state, and posts its changes as messages.
package final class ConnectivityMonitor: Sendable {
    /// The connectivity: unknown before the first update, an error while the system cannot
    /// determine it.
    ///
    /// Online is assumed in the error state.
    package let state = StatePublisher<Connectivity>()
    private let messages: MessageCenter
    private let task = Lock<Task<Void, Never>?>(nil)

    /// Creates a monitor that does nothing before `start`.
    package init(messages: MessageCenter) {
        self.messages = messages
    }

    deinit { stop() }

    /// Whether the machine is known to be offline.
    package var isOffline: Bool { state.state.isOffline }

    /// Consumes the updates of a source until `stop`.
    ///
    /// - Precondition: The monitor was not started before.
    func start(_ source: any ConnectivitySource) {
        let updates = source.updates()
        let newTask = Task { [weak self] in
            for await update in updates {
                guard let self else { return }
                apply(update)
            }
        }
        task.withLock { task in
            precondition(task == nil, "ConnectivityMonitor.start(_:) can be called only once.")
            task = newTask
        }
    }

    /// Stops the updates; the state stays as it is.
    func stop() {
        task.withLock { $0 }?.cancel()
    }

    /// Sleeps until the duration has elapsed or the network returns, whichever comes first.
    ///
    /// - Parameters:
    ///   - duration: The longest sleep.
    ///   - clock: The clock that measures it.
    ///   - isOffline: Whether the machine was offline when the caller decided to sleep. If so, and
    ///     it is online now, the network has returned and the call returns at once.
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(
        for duration: Duration,
        on clock: any Clock<Duration>,
        sinceOffline isOffline: Bool = false
    ) async throws {
        // Subscribe before the sleep, so that a short interruption of the network is not missed.
        let states = state.states.values
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await clock.sleep(for: duration) }
            group.addTask { await Self.waitForReturn(states, sinceOffline: isOffline) }
            defer { group.cancelAll() }
            try await group.next()
        }
        try Task.checkCancellation()
    }

    /// Returns when the state changes from offline to any other.
    private static func waitForReturn(
        _ states: ObservationSequence<LoadState<Connectivity>>,
        sinceOffline isOffline: Bool
    ) async {
        var wasOffline = isOffline
        for await state in states {
            if wasOffline, !state.isOffline { return }
            wasOffline = state.isOffline
        }
    }

    /// Publishes the state before it posts the messages; called for one update at a time.
    private func apply(_ update: Result<Connectivity, any Error>) {
        let before = state.state
        switch update {
        case .success(let connectivity):
            if case .loaded(connectivity) = before { return }
            state.updateData(connectivity)
            if before.assumed != connectivity { messages.post(ConnectivityChanged(connectivity)) }
        case .failure(let error):
            if case .error = before { return }
            state.setError(error)
            messages.post(ConnectivityAssumed(reason: "\(error)"))
            if before.assumed != .online { messages.post(ConnectivityChanged.online) }
        }
    }
}

extension LoadState<Connectivity> {
    /// Whether the machine is known to be offline.
    package var isOffline: Bool { assumed == .offline }

    /// The known or assumed connectivity; nil before the first update.
    fileprivate var assumed: Connectivity? {
        switch self {
        case .unknown, .loading: nil
        case .loaded(let connectivity): connectivity
        case .error: .online
        }
    }
}
