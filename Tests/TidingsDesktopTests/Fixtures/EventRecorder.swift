// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock
import TidingsTesting
import TidingsUserNotifications

extension NotificationBackendEvent {
    var isResponse: Bool { if case .responded = self { true } else { false } }
}

/// Records the events of a backend, and lets tests wait for events.
final class EventRecorder: Sendable {
    private struct Waiter {
        let matches: @Sendable ([NotificationBackendEvent]) -> Bool
        let gate: Gate
    }

    private struct State {
        var all: [NotificationBackendEvent] = []
        var waiters: [Waiter] = []
    }

    private let state = Lock(State())

    func record(_ event: NotificationBackendEvent) {
        let ready = state.withLock { state in
            state.all.append(event)
            let all = state.all
            let ready = state.waiters.filter { $0.matches(all) }.map(\.gate)
            state.waiters.removeAll { $0.matches(all) }
            return ready
        }
        for gate in ready { gate.open() }
    }

    var all: [NotificationBackendEvent] { state.withLock(\.all) }

    /// The events except availability changes.
    var aboutNotifications: [NotificationBackendEvent] {
        all.filter { if case .availabilityChanged = $0 { false } else { true } }
    }

    /// Waits until the recorded events match a condition, for at most two minutes.
    func wait(
        for matches: @escaping @Sendable ([NotificationBackendEvent]) -> Bool
    ) async throws {
        let gate = Gate()
        let isReady = state.withLock { state in
            if matches(state.all) { return true }
            state.waiters.append(Waiter(matches: matches, gate: gate))
            return false
        }
        if isReady { return }
        do {
            try await within(.seconds(600)) { try await gate.wait() }
        } catch {
            Issue.record("Events so far: \(all)")
            throw error
        }
    }

    func wait(for event: NotificationBackendEvent) async throws {
        try await wait { $0.contains(event) }
    }
}
