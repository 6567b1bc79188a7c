// SPDX-License-Identifier: Apache-2.0

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
    ///   - context: The context of the delivery, for a queue.
    ///   - late: Returns the rest of a call that has to wait; only called for such a call.
    /// - Returns: What became of the call.
    /// - Throws: What the handler throws.
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
        // Asked again when the call is made.
        guard !registration.isBlocked else { return .skipped }
        let call = mainCall(input, registration, context.group, late())
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

    /// Runs what waits again if a message for this registration is there.
    ///
    /// Whoever replays on another thread may have put one there since this turn ran what waited:
    /// an older one, that had to wait behind the replay.
    private func letWaitingGoFirst(_ registration: Registration) {
        guard drainsFirst, registration.flags.isSuperset(of: [.main, .gated]) else { return }
        // Without a main-actor buffer nobody knows whose it is.
        let isWaiting = registration.context.mainBuffer.map { $0.pending > 0 } ?? !queue.isEmpty
        if isWaiting { queue.drain(for: home) }
    }

    private func mainCall<Input: Sendable>(
        _ input: Input,
        _ registration: Registration,
        _ group: DeliveryGroup?,
        _ late: DeferredCall
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
struct DeferredCall: Sendable {
    /// The delivery that it belongs to, for what its handler posts.
    var traceContext: TraceContext?
    /// Learns whether the handler was called, if the message waits until one was.
    var acknowledgment: Acknowledgment?
    /// Told of the handler's error.
    var failed: (@Sendable (any Error, Registration) -> Void)?
}

extension Registration {
    /// Makes a call that had to wait, if the observation still stands; returns its error.
    fileprivate func call<Input: Sendable>(_ input: Input, _ late: DeferredCall) -> (any Error)? {
        guard let home = currentHome else { return nil }
        let thread = DeliveryThread.current
        if let traceContext = late.traceContext { thread.beginTrace(traceContext) }
        defer { if late.traceContext != nil { thread.endTrace() } }
        return thread.reading(home) {
            do {
                let outcome =
                    hasExpiredSubject ? .expired : try Incoming.with(input) { try call($0) }
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
