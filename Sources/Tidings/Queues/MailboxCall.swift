// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// One call of an asynchronous handler, while it runs.
final class MailboxCall: Sendable {
    /// The call that the current task belongs to: the task runs it, or was started inside it.
    @TaskLocal static var current: MailboxCall?

    /// Unique in the process and never used again.
    let id: UInt64
    /// The number of its mailbox, and of the worker there.
    let mailbox: UInt64
    let worker: Int
    private let state = Lock(State())

    private static let lastID = Atomic<UInt64>(0)

    private struct State {
        var hasEnded = false
        var waiting: [@Sendable () -> Void] = []
    }

    init(mailbox: UInt64, worker: Int) {
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.mailbox = mailbox
        self.worker = worker
    }

    /// The call that the current task belongs to, unless that call has ended.
    static var running: MailboxCall? {
        guard let current, !current.state.withLock({ $0.hasEnded }) else { return nil }
        return current
    }

    /// Calls `action` when the call has ended, or at once if it already has.
    func whenEnded(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.waiting.append(action) }
            return state.hasEnded
        }
        if hasEnded { action() }
    }

    /// Notes that the handler has returned.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }
}
