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
    /// Told of an error of a call that had to wait.
    private let failed: (@Sendable (any Error, Registration) -> Void)?
    private var isOnMainActor: Bool?

    /// - Parameters:
    ///   - queue: Where calls wait that cannot be made here.
    ///   - home: Whose queue that is.
    ///   - drainsFirst: Whether what waits there is run before the first call made here.
    ///   - failed: Told of an error of a call that had to wait.
    init(
        _ queue: MainQueue,
        home: any AnyObject & Sendable,
        drainsFirst: Bool = true,
        failed: (@Sendable (any Error, Registration) -> Void)? = nil
    ) {
        self.failed = failed
        self.queue = queue
        self.home = home
        self.drainsFirst = drainsFirst
    }

    /// Calls a registration here, or queues the call if it belongs on the main actor and this is
    /// not it.
    mutating func deliver<Input: Sendable>(
        _ input: Input,
        to registration: Registration
    ) throws -> CallOutcome {
        if !registration.traits.contains(.main) || isOnMainActorNow() {
            return try Incoming.with(input) { try registration.call($0) }
        }
        guard !registration.isOrphan else { return .orphan }
        queue.append(for: home) { [failed] in registration.callLater(input, failed: failed) }
        return .called
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

extension Registration {
    /// Makes a call that had to wait, if the observation still stands.
    fileprivate func callLater<Input: Sendable>(
        _ input: Input,
        failed: ((any Error, Registration) -> Void)?
    ) {
        guard let home = currentHome else { return }
        DeliveryThread.current.reading(home) {
            do {
                let outcome = try Incoming.with(input) { try call($0) }
                if case .orphan = outcome { cancel() }
            } catch {
                failed?(error, self)
            }
        }
    }
}
