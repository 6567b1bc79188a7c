// SPDX-License-Identifier: Apache-2.0

/// The forms in which an observation is written.
extension Registration {
    /// A closure that runs where the value is sent.
    convenience init<Input: Sendable>(
        priority: ObservationPriority,
        _ handler: @escaping @Sendable (Input) -> Void
    ) {
        self.init(of: Input.self, priority: priority) { input, _ in
            input.read(handler)
        }
    }

    /// A closure that runs on the main actor.
    convenience init<Input: Sendable>(
        priority: ObservationPriority,
        main handler: @escaping @MainActor @Sendable (Input) -> Void
    ) {
        self.init(of: Input.self, priority: priority, isMain: true) { input, _ in
            input.read { (value: borrowing Input) in
                let value = copy value
                MainActor.assumeIsolated { handler(value) }
            }
        }
    }

    /// A closure that runs where the value is sent, with an owner.
    convenience init<Input: Sendable, Owner: AnyObject & Sendable>(
        priority: ObservationPriority,
        owner: Owner,
        _ handler: @escaping @Sendable (Owner, Input) -> Void
    ) {
        self.init(of: Input.self, priority: priority, owner: owner) { input, object in
            let owner: Owner = ownerDowncast(object)
            input.read { handler(owner, $0) }
        }
    }

    /// A closure that runs on the main actor, with an owner.
    convenience init<Input: Sendable, Owner: AnyObject & Sendable>(
        priority: ObservationPriority,
        owner: Owner,
        main handler: @escaping @MainActor @Sendable (Owner, Input) -> Void
    ) {
        self.init(of: Input.self, priority: priority, isMain: true, owner: owner) { input, object in
            let owner: Owner = ownerDowncast(object)
            input.read { (value: borrowing Input) in
                let value = copy value
                MainActor.assumeIsolated { handler(owner, value) }
            }
        }
    }
}
