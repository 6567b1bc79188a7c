// SPDX-License-Identifier: Apache-2.0

/// Deliveries of one home that wait for the main actor, in order.
///
/// Whoever delivers on the main actor runs what waits first, so no handler sees a later value
/// before an earlier one.
final class MainQueue: Sendable {
    private let waiting = Lock(Waiting())

    /// Queues a delivery for the main actor.
    ///
    /// - Parameters:
    ///   - home: The sender, kept alive until the delivery was made. What its handlers post is
    ///     queued as in every other delivery.
    ///   - delivery: Called on the main actor.
    func append(for home: any AnyObject & Sendable, _ delivery: @escaping @Sendable () -> Void) {
        if waiting.withLock({ $0.append(delivery) }) { schedule(for: home) }
    }

    /// Runs what waits now.
    ///
    /// The caller is on the main actor.
    func drain(for home: any AnyObject & Sendable) {
        // One at a time: a handler may post, and that post must find what still waits here.
        for _ in 0..<waiting.withLock({ $0.count }) {
            guard let delivery = waiting.withLock({ $0.popFirst() }) else { return }
            DeliveryThread.current.deliver(for: home, delivery)
        }
    }

    /// A drain takes what waits when it begins and then makes room for others on the main actor.
    private func schedule(for home: any AnyObject & Sendable) {
        // Detached: the drain serves all posters, so it inherits no task-local value of this one.
        Task.detached { @MainActor [self] in
            drain(for: home)
            if waiting.withLock({ $0.finishDrain() }) { schedule(for: home) }
        }
    }
}

extension MainQueue {
    /// What waits, as a value.
    struct Waiting {
        private var deliveries = Fifo<@Sendable () -> Void>()
        private var isScheduled = false

        var count: Int { deliveries.count }

        /// Adds a delivery and says whether a drain must be scheduled for it.
        mutating func append(_ delivery: @escaping @Sendable () -> Void) -> Bool {
            deliveries.append(delivery)
            defer { isScheduled = true }
            return !isScheduled
        }

        mutating func popFirst() -> (@Sendable () -> Void)? {
            deliveries.popFirst()
        }

        /// Ends a scheduled drain and says whether another one must follow.
        mutating func finishDrain() -> Bool {
            isScheduled = !deliveries.isEmpty
            return isScheduled
        }
    }
}

/// The part of one delivery that belongs on the main actor.
struct MainTurn {
    private let queue: MainQueue
    private let home: any AnyObject & Sendable
    private let drainsFirst: Bool
    private var isOnMainActor: Bool?

    /// - Parameters:
    ///   - queue: Where calls wait that cannot be made here.
    ///   - home: Whose queue that is.
    ///   - drainsFirst: Whether what waits there is run before the first call made here.
    init(_ queue: MainQueue, home: any AnyObject & Sendable, drainsFirst: Bool = true) {
        self.queue = queue
        self.home = home
        self.drainsFirst = drainsFirst
    }

    /// Calls a registration here, or queues the call if it belongs on the main actor and this is
    /// not it.
    ///
    /// - Parameters:
    ///   - input: What it receives.
    ///   - registration: Who is called.
    ///   - late: Says what a call needs that has to wait; only asked for such a one.
    /// - Returns: What became of the call.
    /// - Throws: What the handler throws.
    mutating func deliver<Input: Sendable>(
        _ input: Input,
        to registration: Registration,
        late: () -> LateCall = { LateCall() }
    ) throws -> CallOutcome {
        if !registration.traits.contains(.main) || isOnMainActorNow() {
            return try Incoming.with(input) { try registration.call($0) }
        }
        guard !registration.isOrphan else { return .orphan }
        let late = late()
        queue.append(for: home) { registration.call(input, late) }
        return .queued
    }

    /// Asked once, when the first main-actor handler is reached.
    private mutating func isOnMainActorNow() -> Bool {
        if let isOnMainActor { return isOnMainActor }
        let isOnMainActor = MainActorCheck.isOnMainActor
        if isOnMainActor, drainsFirst { queue.drain(for: home) }
        self.isOnMainActor = isOnMainActor
        return isOnMainActor
    }
}

/// What a call needs that has to wait for the main actor.
struct LateCall: Sendable {
    /// The delivery that it belongs to, for what its handler posts.
    var context: TraceContext?
    /// Told of the handler's error.
    var failed: (@Sendable (any Error, Registration) -> Void)?
}

extension Registration {
    /// Makes a call that had to wait, if the observation still stands.
    fileprivate func call<Input: Sendable>(_ input: Input, _ late: LateCall) {
        guard let home = currentHome else { return }
        let thread = DeliveryThread.current
        if let context = late.context { thread.beginTrace(context) }
        thread.reading(home) {
            do {
                let outcome = try Incoming.with(input) { try call($0) }
                if case .orphan = outcome { cancel() }
            } catch {
                late.failed?(error, self)
            }
        }
        if late.context != nil { thread.endTrace() }
    }
}
