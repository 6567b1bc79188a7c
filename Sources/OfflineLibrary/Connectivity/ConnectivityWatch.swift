// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// The machine's connectivity as published state, and its changes as messages.
package final class ConnectivityWatch: Sendable {
    /// Unknown before the system has told; an error if it cannot, and then online is assumed.
    package let state = StatePublisher<Connectivity>()
    private let messages: MessageCenter
    private let work = Lock<Task<Void, Never>?>(nil)

    /// Prepares everything; nothing is asked before `start`.
    package init(messages: MessageCenter) {
        self.messages = messages
    }

    deinit { stop() }

    /// Whether the machine is known to have no way out.
    package var isOffline: Bool { state.state.isOffline }

    /// Begins to follow a source, once, until `stop`.
    func start(_ source: any ConnectivitySource) {
        let reports = source.reports()
        let task = Task { [weak self] in
            for await report in reports {
                guard let self else { return }
                take(report)
            }
        }
        work.withLock { work in
            precondition(work == nil, "A watch is started once.")
            work = task
        }
    }

    /// Stops following; the state stays.
    func stop() {
        work.withLock { $0 }?.cancel()
    }

    /// Sleeps, but not beyond the moment at which the network is back.
    ///
    /// - Parameters:
    ///   - duration: How long at most.
    ///   - clock: What tells the time.
    ///   - isOffline: Whether there was none when the sleep was decided on; if there is one by
    ///     now, it has come back.
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(
        for duration: Duration,
        on clock: any Clock<Duration>,
        sinceOffline isOffline: Bool = false
    ) async throws {
        // Made before the sleep: a network that goes and comes meanwhile is not missed.
        let states = state.states
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await clock.sleep(for: duration) }
            group.addTask { await Self.waitForReturn(states, sinceOffline: isOffline) }
            defer { group.cancelAll() }
            try await group.next()
        }
        try Task.checkCancellation()
    }

    /// Returns when there is a network after there was none.
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

    /// Publishes first, posts after; one report at a time.
    private func take(_ report: Result<Connectivity, any Error>) {
        let before = state.state
        switch report {
        case .success(let connectivity):
            if case .loaded(connectivity) = before { return }
            state.updateData(connectivity)
            if before.assumed != connectivity { post(ConnectivityChanged(connectivity)) }
        case .failure(let error):
            if case .error = before { return }
            state.setError(error)
            messages.post(ConnectivityAssumed(reason: "\(error)"))
            if before.assumed != .online { post(.online) }
        }
    }

    private func post(_ message: ConnectivityChanged) {
        messages.post(message)
        messages.post(named: message.name, object: nil)
    }
}

extension LoadState<Connectivity> {
    /// Whether it is known that there is no way out.
    package var isOffline: Bool { assumed == .offline }

    /// What is known or assumed; nil before there was an answer.
    fileprivate var assumed: Connectivity? {
        switch self {
        case .unknown, .loading: nil
        case .loaded(let connectivity): connectivity
        case .error: .online
        }
    }
}
