// SPDX-License-Identifier: Apache-2.0

/// The notes about one running delivery.
///
/// Without a watcher, the trace is empty and notes nothing. With watchers of postings only, the
/// trace measures and keeps nothing.
struct DeliveryTrace {
    /// The context for posts from the delivery's handlers, or nil without a watcher.
    private(set) var context: TraceContext?
    /// The reason why the center does not deliver the post, or nil for a delivered post.
    var obstacle: DeliveryObstacle?
    private var stamp: PostStamp?
    private var number: UInt64?
    private var start = Duration.zero
    private var calls: [CallRecord] = []
    private var now: (@Sendable () -> Duration)?

    /// Creates the trace of a delivery without watchers.
    init() {}

    /// - Parameters:
    ///   - stamp: The post.
    ///   - number: The post's number, or nil if no watcher sees the post.
    ///   - center: The center of the post.
    fileprivate init(_ stamp: PostStamp, number: UInt64?, for center: MessageCenter) {
        var origin = stamp.origin
        if let number {
            origin.cause = number
            origin.level += 1
        }
        context = TraceContext(center: ObjectIdentifier(center), origin: origin)
        self.stamp = stamp
        self.number = number
    }

    fileprivate var isBegun: Bool { context != nil }

    /// Starts measuring.
    fileprivate mutating func measure(by now: @escaping @Sendable () -> Duration) {
        self.now = now
        start = now()
    }

    /// Makes a call and notes the outcome.
    mutating func noting(
        _ registration: Registration,
        _ call: () throws -> CallOutcome
    ) rethrows -> CallOutcome {
        guard let now else { return try call() }
        let start = now()
        do {
            let outcome = try call()
            note(registration, outcome, in: now() - start)
            return outcome
        } catch {
            note(registration, nil, failure: String(describing: type(of: error)), in: now() - start)
            throw error
        }
    }

    private mutating func note(
        _ registration: Registration,
        _ outcome: CallOutcome?,
        failure: String? = nil,
        in duration: Duration
    ) {
        calls.append(
            CallRecord(
                observation: registration.info,
                outcome: outcome,
                failure: failure,
                duration: duration
            )
        )
    }

    /// Returns the event with the noted calls, or nil if no watcher of deliveries exists.
    fileprivate func event(_ message: Incoming) -> DeliveryEvent? {
        guard let now, let stamp, let number else { return nil }
        let posting = PostingEvent(number, stamp, message)
        return DeliveryEvent(posting, obstacle, calls: calls, duration: now() - start)
    }
}

extension MessageCenter {
    /// Calls the watchers at the start of a delivery.
    ///
    /// - Parameters:
    ///   - stamp: The post.
    ///   - message: The message that is delivered.
    /// - Returns: The trace that notes the calls. Pass the trace to `endTrace` after the last call.
    func beginTrace<M: Message>(_ stamp: PostStamp, _ message: M) -> DeliveryTrace {
        Incoming.with(message) { beginTrace(stamp, $0) }
    }

    /// Calls the watchers after the last handler of a delivery has returned.
    func endTrace<M: Message>(_ trace: DeliveryTrace, _ message: M) {
        guard trace.isBegun else { return }
        Incoming.with(message) { endTrace(trace, $0) }
    }

    /// Calls the watchers with a post that is not delivered.
    func traceUndelivered<M: Message>(_ delivery: Delivery<M>, _ obstacle: DeliveryObstacle) {
        guard tracing.isWatched else { return }
        var trace = beginTrace(PostStamp(delivery, recipients: 0), delivery.message)
        trace.obstacle = obstacle
        endTrace(trace, delivery.message)
    }

    func beginTrace(_ stamp: PostStamp, _ message: Incoming) -> DeliveryTrace {
        let isShown = !stamp.origin.isMuted && stamp.content.type.tracing != .hidden
        guard isShown else {
            let trace = DeliveryTrace(stamp, number: nil, for: self)
            trace.context.map { DeliveryThread.current.beginTrace($0) }
            return trace
        }
        let number = tracing.makeNumber()
        var trace = DeliveryTrace(stamp, number: number, for: self)
        if tracing.wantsPostings {
            tracing.tell(.posting(PostingEvent(number, stamp, message)), of: self)
        }
        trace.context.map { DeliveryThread.current.beginTrace($0) }
        if tracing.wantsDeliveries { trace.measure(by: tracing.now) }
        return trace
    }

    func endTrace(_ trace: DeliveryTrace, _ message: Incoming) {
        guard trace.isBegun else { return }
        DeliveryThread.current.endTrace()
        guard let event = trace.event(message) else { return }
        tracing.tell(.delivered(event), of: self)
    }
}
