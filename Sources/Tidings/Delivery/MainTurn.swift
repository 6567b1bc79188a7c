// SPDX-License-Identifier: Apache-2.0

/// The main-actor part of one delivery.
struct MainTurn {
    private let queue: MainQueue
    private let home: any AnyObject & Sendable
    private let drainsFirst: Bool
    private var isOnMainActor: Bool?

    /// - Parameters:
    ///   - queue: The queue for calls that cannot be made here.
    ///   - home: The home that owns the queue.
    ///   - drainsFirst: Whether to run the pending calls before the first call made here.
    init(_ queue: MainQueue, home: any AnyObject & Sendable, drainsFirst: Bool = true) {
        self.queue = queue
        self.home = home
        self.drainsFirst = drainsFirst
    }

    /// Calls a registration here, or queues the call if the handler runs on the main actor and this
    /// thread does not.
    ///
    /// - Parameters:
    ///   - input: The value for the handler.
    ///   - registration: The registration to call.
    ///   - context: The delivery context, for a queue.
    ///   - late: Returns the extra parts of a call that has to wait. Only called for such a call.
    /// - Returns: The outcome of the call.
    /// - Throws: The error that the handler throws.
    mutating func deliver<Input: Sendable>(
        _ input: Input,
        to registration: Registration,
        _ context: DeliveryContext = DeliveryContext(),
        late: () -> DeferredCall = { DeferredCall() }
    ) throws -> CallOutcome {
        if !registration.flags.contains(.main) || isOnMainActorNow() {
            letWaitingGoFirst(registration)
            return try Incoming.with(input) { try registration.call($0, context) }
        }
        guard !registration.isExpired else { return .expired }
        // The block is checked again when the call is made.
        guard !registration.isBlocked else { return .skipped }
        guard isWanted(input, by: registration, context) else { return .skipped }
        let call = mainCall(input, registration, group: context.group, late: late())
        guard let mainBuffer = registration.context.mainBuffer else {
            queue.append(call, for: home)
            return .queued
        }
        let hasPlace = context.places?.take(registration) ?? false
        let (isIn, dropped) = mainBuffer.push(call, hasPlace: hasPlace)
        if let dropped {
            dropped.drop()
            queue.noteDrop()
        }
        if isIn { queue.append(call, for: home) } else { call.drop() }
        return isIn ? .queued : .skipped
    }

    /// Returns whether a message may take a place in the buffer of a main-actor handler.
    ///
    /// A message that the filter rejects must not displace a message that the filter accepts. The
    /// filter is therefore called here if the buffer is limited, and on the main actor otherwise.
    private func isWanted<Input: Sendable>(
        _ input: Input,
        by registration: Registration,
        _ context: DeliveryContext
    ) -> Bool {
        guard registration.isFilteredBeforeItsBuffer, let filter = registration.context.filter
        else { return true }
        return context.isWanted(by: registration) ?? Incoming.with(input, filter)
    }

    /// Drains the queue again if the queue contains a message for this registration.
    ///
    /// A replay on another thread may have queued an older message since this turn drained the
    /// queue. The older message had to wait behind the replay.
    private func letWaitingGoFirst(_ registration: Registration) {
        guard drainsFirst, registration.flags.isSuperset(of: [.main, .gated]) else { return }
        // Without a main-actor buffer, the queue does not show whose calls are pending.
        let isWaiting = registration.context.mainBuffer.map { $0.pending > 0 } ?? !queue.isEmpty
        if isWaiting { queue.drain(for: home) }
    }

    private func mainCall<Input: Sendable>(
        _ input: Input,
        _ registration: Registration,
        group: DeliveryGroup?,
        late: DeferredCall
    ) -> MainCall {
        group?.enter()
        let work = MainCall.Work(
            run: {
                guard let error = registration.call(input, late) else {
                    group?.leave()
                    return
                }
                if let group, group.leave(registration, error) { return }
                late.failed?(error, registration)
            },
            drop: {
                late.acknowledgment?.note(called: false)
                group?.leave()
            }
        )
        return MainCall(registration.context.mainBuffer, work)
    }

    /// The check runs once, when the delivery reaches the first main-actor handler.
    private mutating func isOnMainActorNow() -> Bool {
        if let isOnMainActor { return isOnMainActor }
        let isOnMainActor = MainActorCheck.isOnMainActor
        if isOnMainActor, drainsFirst { queue.drain(for: home) }
        self.isOnMainActor = isOnMainActor
        return isOnMainActor
    }
}

/// The extra parts of a call that has to wait for the main actor.
struct DeferredCall: Sendable {
    /// The trace of the delivery that contains the call, for posts by the handler.
    var traceContext: TraceContext?
    /// Records whether the handler was called, if the message waits for a handler.
    var acknowledgment: Acknowledgment?
    /// Called with the handler's error.
    var failed: (@Sendable (any Error, Registration) -> Void)?
}

extension Registration {
    /// Whether the filter is called before a message takes a place in the main-actor buffer.
    fileprivate var isFilteredBeforeItsBuffer: Bool { context.mainBuffer?.isBounded == true }

    /// Makes a call that had to wait, unless the observation has ended, and returns any error.
    fileprivate func call<Input: Sendable>(_ input: Input, _ late: DeferredCall) -> (any Error)? {
        guard let home = currentHome else { return nil }
        let thread = DeliveryThread.current
        if let traceContext = late.traceContext { thread.beginTrace(traceContext) }
        defer { if late.traceContext != nil { thread.endTrace() } }
        var context = DeliveryContext()
        context.hasPassedFilter = isFilteredBeforeItsBuffer
        return thread.reading(home) {
            do {
                let outcome =
                    if hasExpiredSubject { CallOutcome.expired } else {
                        try Incoming.with(input) { try call($0, context) }
                    }
                late.acknowledgment?.note(called: outcome == .called)
                if case .expired = outcome { cancel() }
                return nil
            } catch {
                late.acknowledgment?.note(called: true)
                return error
            }
        }
    }
}
