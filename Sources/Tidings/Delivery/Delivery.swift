// SPDX-License-Identifier: Apache-2.0

/// Whether the center may call hooks about the outcome of a post.
struct ReportedHooks {
    var errors = true
    var unhandled = true
}

/// One message in delivery, with the arguments of the post.
struct Delivery<M: Message>: Sendable {
    var message: M
    /// The object that the message is about.
    var about: (any AnyObject & Sendable)?
    let source: SourceLocation
    /// The origin of the post, for the watchers of the center.
    var origin = TraceOrigin()
    /// The context that goes with the message into queues.
    var context = DeliveryContext()
    /// The forms of the message for recipients that do not observe the message type.
    var forms: [any DeliveryForm]?
    /// How long the center retains the message for later observers.
    var retention: Retention?
    /// Records whether a handler took the message, if the message waits for a handler.
    var acknowledgment: Acknowledgment?
    /// The number of possible responders, if the message is a request.
    var responders = 0
    /// Whether the center offers the message again, after watchers have already seen the message.
    var isRepeated = false
    /// The hooks that the center may call about the outcome.
    ///
    /// A hook is not called about its own posts.
    var reports = ReportedHooks()

    /// Records which hooks may be called, for a post that `thread` makes now.
    mutating func note(_ thread: DeliveryThread, of center: MessageCenter) {
        reports.errors = !thread.isInside(.error, of: center)
        reports.unhandled = !thread.isInside(.unhandled, of: center)
        context.reportsErrors = reports.errors
    }

    /// Returns the number of addressed `recipients`: registered, subject matches, owner alive.
    func count(_ recipients: SubscriberSnapshot) -> Int {
        var count = 0
        recipients.visit { if $0.isAddressed(about: about) { count += 1 } }
        return count
    }
}

extension MessageCenter {
    /// Sends a message that needs more than calling handlers on this thread now.
    func send<M: Message>(_ delivery: Delivery<M>, nested isNested: Bool = false) -> Int {
        var delivery = delivery
        return begin(&delivery) ?? sendBegun(delivery, nested: isNested)
    }

    /// Sends a delivery that is already counted as in progress.
    func sendBegun<M: Message>(_ delivery: Delivery<M>, nested isNested: Bool = false) -> Int {
        var delivery = delivery
        return channel(of: M.self, on: .current).use { channel in
            let recipients = address(&delivery, by: channel)
            let addressed = delivery.count(recipients)
            send(delivery, by: channel, to: recipients, addressed, nested: isNested)
            return addressed
        }
    }

    /// Finds the recipients of a post at this moment, and completes the post's context.
    func address<M: Message>(
        _ delivery: inout Delivery<M>,
        by channel: Channel
    ) -> SubscriberSnapshot {
        delivery.note(.current, of: self)
        if mayHaveForms(channel) { addForms(to: &delivery, by: channel) }
        addConformingForms(to: &delivery)
        var recipients = observers(of: &delivery, in: channel)
        delivery.addRecipients(to: &recipients)
        return recipients
    }

    /// Delivers now, or after the current post if a handler posts without nesting.
    ///
    /// The delivery is already counted as in progress.
    func send<M: Message>(
        _ delivery: Delivery<M>,
        by channel: Channel,
        to recipients: SubscriberSnapshot,
        _ addressed: Int,
        nested isNested: Bool = false
    ) {
        let thread = DeliveryThread.current
        delivery.context.group?.enter()
        if !thread.isDelivering(for: self) {
            thread.turn(of: self) { deliver(delivery, by: channel, to: recipients, addressed) }
        } else if isNested {
            deliver(delivery, by: channel, to: recipients, addressed)
        } else {
            // The center keeps the channel.
            thread.enqueue(for: self) { [self, delivery, channel] in
                deliver(delivery, by: channel, to: recipients, addressed)
            }
        }
    }

    /// Delivers to each of `recipients`, in the place where the handler belongs.
    private func deliver<M: Message>(
        _ delivery: Delivery<M>,
        by channel: Channel,
        to recipients: SubscriberSnapshot,
        _ addressed: Int
    ) {
        var trace = DeliveryTrace()
        if tracing.isWatched, !delivery.isRepeated {
            trace = beginTrace(PostStamp(delivery, recipients: addressed), delivery.message)
        }
        var hasExpired = false
        defer {
            delivery.context.group?.leave()
            inProgress.end()
        }
        var turn = MainTurn(mainQueue, home: self)
        DeliveryThread.current.reading(channel, and: delivery.forms) {
            recipients.visit { registration in
                guard registration.isFor(delivery.about) else {
                    hasExpired = hasExpired || registration.isExpired
                    return
                }
                do {
                    let traceContext = trace.context
                    let outcome = try trace.noting(registration) {
                        if registration.holdsBack(gatedCall(delivery, traceContext)) {
                            delivery.context.group?.enter()
                            return .queued
                        }
                        return try call(registration, with: delivery, in: &turn, traceContext)
                    }
                    if case .expired = outcome { hasExpired = true }
                } catch {
                    note(error, of: registration, delivery.context)
                }
            }
        }
        endTrace(trace, delivery.message)
        if hasExpired {
            channel.sweep()
            for form in delivery.forms ?? [] { form.channel.sweep() }
        }
        if addressed + delivery.responders == 0, delivery.reports.unhandled {
            callUnhandledHooks(delivery.message, named: delivery.name, at: delivery.source)
        }
    }

    /// Passes an error to the poster that waits for the message, or to the error hooks.
    func note(_ error: any Error, of registration: Registration, _ context: DeliveryContext) {
        if let group = context.group {
            group.note(registration, error)
        } else if context.reportsErrors {
            report(error, of: registration)
        }
    }

    /// Calls one registration, here, or later where the handler belongs.
    func call<M: Message>(
        _ registration: Registration,
        with delivery: Delivery<M>,
        in turn: inout MainTurn,
        _ traceContext: TraceContext?
    ) throws -> CallOutcome {
        let reports = delivery.context.reportsErrors
        guard let acknowledgment = delivery.acknowledgment(from: registration) else {
            return try delivery.hand(to: registration, by: &turn) {
                lateCall(reports: reports, traceContext)
            }
        }
        guard acknowledgment.admits() else { return .skipped }
        // A handler that throws has been called.
        var (wasCalled, isLate) = (true, false)
        defer { if !isLate { acknowledgment.note(called: wasCalled) } }
        var delivery = delivery
        delivery.context.acknowledgment = acknowledgment
        let outcome = try delivery.hand(to: registration, by: &turn) {
            isLate = true
            return lateCall(reports: reports, traceContext, acknowledgment)
        }
        // A mailbox records the outcome when the mailbox reaches the message.
        if registration.queue?.mailboxNumber != nil, outcome == .queued { isLate = true }
        wasCalled = [.called, .queued].contains(outcome)
        return outcome
    }

    /// Returns the extra parts of a call that has to wait for the main actor.
    private func lateCall(
        reports: Bool,
        _ traceContext: TraceContext?,
        _ acknowledgment: Acknowledgment? = nil
    ) -> DeferredCall {
        DeferredCall(traceContext: traceContext, acknowledgment: acknowledgment) {
            [self] error, registration in
            if reports { report(error, of: registration) }
        }
    }
}
