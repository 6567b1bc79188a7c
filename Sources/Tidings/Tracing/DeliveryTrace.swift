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
    fileprivate var number: UInt64?
    fileprivate var start = Duration.zero
    private var handlers: [HandlerRecord] = []
    private var now: (@Sendable () -> Duration)?

    fileprivate init() {}

    fileprivate init(_ context: TraceContext) {
        self.context = context
    }

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

    /// The record of what was noted.
    fileprivate func record(_ posting: borrowing PostingRecord) -> DeliveryRecord? {
        guard let now else { return nil }
        let outcome = outcome ?? (posting.recipients == 0 ? .unheard : .delivered)
        return DeliveryRecord(
            posting,
            outcome,
            handlers: handlers,
            duration: now() - start
        )
    }
}

extension MessageCenter {
    /// Tells watchers that a delivery begins.
    ///
    /// - Parameters:
    ///   - delivery: What is delivered.
    ///   - addressed: To how many.
    /// - Returns: What notes the calls; it is handed to `endTrace` when the last one was made.
    func beginTrace<M: Message>(_ delivery: Delivery<M>, _ addressed: Int) -> DeliveryTrace {
        guard tracing.isWatched else { return DeliveryTrace() }
        let isShown = !delivery.origin.isMuted && M.tracing != .hidden
        var origin = delivery.origin
        let number = isShown ? tracing.makeNumber() : nil
        if isShown {
            origin.cause = number
            origin.level += 1
        }
        let context = TraceContext(center: ObjectIdentifier(self), origin: origin)
        var trace = DeliveryTrace(context)
        trace.number = number
        if let number, tracing.wantsPostings {
            withPosting(of: delivery, number, addressed) { posting in
                tracing.tell(.posting(posting), of: self)
            }
        }
        DeliveryThread.current.beginTrace(context)
        if isShown, tracing.wantsDeliveries { trace.measure(by: tracing.now) }
        return trace
    }

    /// Tells watchers that the last handler of a delivery has returned.
    func endTrace<M: Message>(_ trace: DeliveryTrace, of delivery: Delivery<M>, _ addressed: Int) {
        guard trace.context != nil else { return }
        DeliveryThread.current.endTrace()
        guard let number = trace.number else { return }
        withPosting(of: delivery, number, addressed) { posting in
            guard let record = trace.record(posting) else { return }
            tracing.tell(.delivered(record), of: self)
        }
    }

    /// Tells watchers of a post that goes to nobody.
    func traceUndelivered<M: Message>(_ delivery: Delivery<M>, _ outcome: PostOutcome) {
        var trace = beginTrace(delivery, 0)
        trace.outcome = outcome
        endTrace(trace, of: delivery, 0)
    }

    private func withPosting<M: Message>(
        of delivery: Delivery<M>,
        _ number: UInt64,
        _ addressed: Int,
        _ body: (consuming PostingRecord) -> Void
    ) {
        let content = PostContent(
            type: M.self,
            source: delivery.source,
            subject: delivery.about.map { type(of: $0) }
        )
        let stamp = PostStamp(number: number, origin: delivery.origin)
        Incoming.with(delivery.message) { message in
            body(PostingRecord(stamp, recipients: addressed, content, message))
        }
    }
}
