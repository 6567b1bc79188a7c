// SPDX-License-Identifier: Apache-2.0

/// What is noted of one delivery while it is made.
///
/// Without a watcher it is empty and notes nothing; with one who only wants to know of postings it
/// measures and keeps nothing.
struct DeliveryTrace {
    /// For what the delivery's handlers post; nil without a watcher.
    private(set) var context: TraceContext?
    /// What became of the post, where that is not what its recipients say.
    var outcome: PostOutcome?
    private var stamp: PostStamp?
    private var number: UInt64?
    private var start = Duration.zero
    private var handlers: [HandlerRecord] = []
    private var now: (@Sendable () -> Duration)?

    /// Creates the trace of a delivery that nobody watches.
    init() {}

    /// - Parameters:
    ///   - stamp: Which post it is.
    ///   - number: The post's number; nil if it is shown to nobody.
    ///   - center: Whose post it is.
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

    /// Begins to measure.
    fileprivate mutating func measure(by now: @escaping @Sendable () -> Duration) {
        self.now = now
        start = now()
    }

    /// Makes a call and notes what became of it.
    mutating func noting(
        _ registration: Registration,
        _ call: () throws -> CallOutcome
    ) rethrows -> CallOutcome {
        guard let now else { return try call() }
        let start = now()
        do {
            let outcome = try call()
            note(registration, HandlerOutcome(outcome), now() - start)
            return outcome
        } catch {
            note(registration, .failed(String(describing: type(of: error))), now() - start)
            throw error
        }
    }

    private mutating func note(
        _ registration: Registration,
        _ outcome: HandlerOutcome,
        _ duration: Duration
    ) {
        let observation = registration.info
        handlers.append(
            HandlerRecord(observation: observation, outcome: outcome, duration: duration)
        )
    }

    /// The record of what was noted; nil if nobody wants it.
    fileprivate func record(_ message: Incoming) -> DeliveryRecord? {
        guard let now, let stamp, let number else { return nil }
        let posting = PostingRecord(number, stamp, message)
        let outcome = outcome ?? (stamp.recipients == 0 ? .unheard : .delivered)
        let duration = now() - start
        return DeliveryRecord(posting, outcome, handlers: handlers, duration: duration)
    }
}

extension MessageCenter {
    /// Tells watchers that a delivery begins.
    ///
    /// - Parameters:
    ///   - stamp: Which post it is.
    ///   - message: What is delivered.
    /// - Returns: What notes the calls; it is handed to `endTrace` when the last one was made.
    func beginTrace<M: Message>(_ stamp: PostStamp, _ message: M) -> DeliveryTrace {
        Incoming.with(message) { beginTrace(stamp, $0) }
    }

    /// Tells watchers that the last handler of a delivery has returned.
    func endTrace<M: Message>(_ trace: DeliveryTrace, _ message: M) {
        guard trace.isBegun else { return }
        Incoming.with(message) { endTrace(trace, $0) }
    }

    /// Tells watchers of a post that goes to nobody.
    func traceUndelivered<M: Message>(_ delivery: Delivery<M>, _ outcome: PostOutcome) {
        guard tracing.isWatched else { return }
        var trace = beginTrace(PostStamp(delivery, recipients: 0), delivery.message)
        trace.outcome = outcome
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
            tracing.tell(.posting(PostingRecord(number, stamp, message)), of: self)
        }
        trace.context.map { DeliveryThread.current.beginTrace($0) }
        if tracing.wantsDeliveries { trace.measure(by: tracing.now) }
        return trace
    }

    func endTrace(_ trace: DeliveryTrace, _ message: Incoming) {
        guard trace.isBegun else { return }
        DeliveryThread.current.endTrace()
        guard let record = trace.record(message) else { return }
        tracing.tell(.delivered(record), of: self)
    }
}
