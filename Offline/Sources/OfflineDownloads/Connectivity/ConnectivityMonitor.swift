// SPDX-License-Identifier: Apache-2.0
import OfflineSources
package import Tidings

/// Publishes the machine's connectivity as state, and posts a message for each change.
package final class ConnectivityMonitor: Sendable {
    /// The connectivity.
    ///
    /// The state is unknown before the first update, and an error while the system cannot determine
    /// the connectivity.
    ///
    /// The library assumes online in the error state.
    package let state = StatePublisher<Connectivity>()
    private let task: Task<Void, Never>?

    /// Creates a monitor that consumes the updates of a source until `stop`.
    ///
    /// - Parameters:
    ///   - source: The source, or nil for a connectivity that stays unknown.
    ///   - messages: The center that receives the messages.
    package init(_ source: (any ConnectivitySource)? = nil, messages: MessageCenter) {
        let (state, updates) = (state, source?.updates())
        task = updates.map { updates in
            Task {
                for await update in updates { Self.apply(update, to: state, messages) }
            }
        }
    }

    deinit { stop() }

    /// Whether the machine is known to be offline.
    package var isOffline: Bool { state.state.isOffline }

    /// Stops the updates.
    ///
    /// The state stays as it is.
    package func stop() { task?.cancel() }

    /// Sleeps until the duration has elapsed or the network returns, whichever comes first.
    ///
    /// - Parameters:
    ///   - duration: The longest sleep.
    ///   - clock: The clock that measures the duration.
    ///   - isOffline: Whether the machine was offline when the caller decided to sleep. If so, and
    ///     if the machine is online now, the network has returned and the call returns immediately.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func sleep(
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

    /// Returns when the state changes from offline to another state.
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

    /// Publishes the state before the messages.
    ///
    /// The monitor calls this method for one update at a time.
    private static func apply(
        _ update: Result<Connectivity, any Error>,
        to state: StatePublisher<Connectivity>,
        _ messages: MessageCenter
    ) {
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

extension ConnectivityMonitor: RetryNetwork {}

extension LoadState<Connectivity> {
    /// Whether the machine is known to be offline.
    package var isOffline: Bool { assumed == .offline }

    /// The known or assumed connectivity, or nil before the first update.
    fileprivate var assumed: Connectivity? {
        switch self {
        case .unknown, .loading: nil
        case .loaded(let connectivity): connectivity
        case .error: .online
        }
    }
}
