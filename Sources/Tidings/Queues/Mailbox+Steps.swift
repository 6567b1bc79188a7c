// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

extension Mailbox {
    /// Returns a step that calls a handler on no actor.
    static func step(
        _ handler: @escaping @concurrent @Sendable (Input) async throws -> Void
    ) -> Step {
        { mailbox, call in
            await mailbox.handle(call) { try await handler($0) }
        }
    }

    /// Returns a step that calls a handler on no actor, with the owner.
    static func step<Owner: AnyObject & Sendable>(
        _ owner: Owner,
        _ handler: @escaping @concurrent @Sendable (Owner, Input) async throws -> Void
    ) -> Step {
        { [weak owner] mailbox, call in
            guard let owner else { return .expired }
            return await mailbox.handle(call) { try await handler(owner, $0) }
        }
    }

    /// Returns a step that calls a handler in tasks that prefer an executor.
    static func step(
        on executor: any TaskExecutor,
        _ handler: @escaping @concurrent @Sendable (Input) async throws -> Void
    ) -> Step {
        { mailbox, call in
            await withTaskExecutorPreference(executor) {
                await mailbox.handle(call) { try await handler($0) }
            }
        }
    }

    /// Returns a step that calls a handler on an actor.
    static func step<Isolation: Actor>(
        on actor: Isolation,
        _ handler: @escaping @Sendable (isolated Isolation, Input) async throws -> Void
    ) -> Step {
        { [weak actor] mailbox, call in
            guard let actor else { return .expired }
            return await mailbox.handle(call, on: actor, handler)
        }
    }

    private func handle<Isolation: Actor>(
        _ call: MailboxCall,
        on actor: isolated Isolation,
        _ handler: @Sendable (isolated Isolation, Input) async throws -> Void
    ) async -> CallOutcome {
        await handle(call) { try await handler(actor, $0) }
    }
}

/// One call of an asynchronous handler, while it runs.
final class MailboxCall: Sendable {
    /// The call that the current task belongs to.
    ///
    /// The task runs this call, or was started inside this call.
    @TaskLocal static var current: MailboxCall?

    /// The number of this call, unique in the process and never used again.
    let id: UInt64
    /// The numbers of the mailbox, and of the worker in the mailbox.
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

    /// The call that the current task belongs to, unless the call has ended.
    static var running: MailboxCall? {
        guard let current, !current.state.withLock({ $0.hasEnded }) else { return nil }
        return current
    }

    /// Calls `action` when the call has ended, or immediately if the call has already ended.
    func whenEnded(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.waiting.append(action) }
            return state.hasEnded
        }
        if hasEnded { action() }
    }

    /// Records that the handler has returned.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }
}
