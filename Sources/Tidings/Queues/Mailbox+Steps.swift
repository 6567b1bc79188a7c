// SPDX-License-Identifier: Apache-2.0

extension Mailbox {
    /// Returns a step that calls a handler on no actor.
    static func step(
        _ handler: @escaping @concurrent @Sendable (Input) async throws -> Void
    ) -> Step {
        { mailbox, call in
            await mailbox.handle(call) { try await handler($0) }
        }
    }

    /// Returns a step that calls a handler on no actor, with its owner.
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
