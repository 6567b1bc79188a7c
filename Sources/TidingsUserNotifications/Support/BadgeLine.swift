// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Takes badge numbers to the backend, one at a time; only the newest counts.
final class BadgeLine: Sendable {
    private struct State {
        var next: Int?
        var isWorking = false
    }

    private let state = Lock(State())
    private let backend: any NotificationBackend

    init(_ backend: any NotificationBackend) {
        self.backend = backend
    }

    func set(_ count: Int) {
        let isFirst = state.withLock { state in
            defer { state.isWorking = true }
            state.next = count
            return !state.isWorking
        }
        guard isFirst else { return }
        Task {
            while let count = take() { await backend.setBadge(count) }
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            defer { state.next = nil }
            if state.next == nil { state.isWorking = false }
            return state.next
        }
    }
}
