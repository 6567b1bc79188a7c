// SPDX-License-Identifier: Apache-2.0

/// Whether the hooks of a center may be told of what becomes of a post.
struct MayTell {
    var errors = true
    var unhandled = true
}

/// One message on its way, with all that was said when it was posted.
struct Delivery<M: Message>: Sendable {
    let message: M
    /// The object that it is about.
    var about: (any AnyObject & Sendable)?
    let source: SourceLocation
    /// What it was posted by, for those who watch the center.
    var origin = TraceOrigin()
    /// What goes with it into queues.
    var slip = DeliverySlip()
    /// What those receive who do not observe its type.
    var forms: [any DeliveryForm] = []
    /// Whether the center's hooks may be told of what becomes of it: false for what a hook posts.
    var mayTell = MayTell()

    /// Whether the message is for `registration`, dead or alive.
    func isFor(_ registration: Registration) -> Bool {
        guard registration.traits.contains(.subject) else { return true }
        return registration.extras?.subject?.matches(about) ?? false
    }

    /// How many of `recipients` it addresses: registered, subject matches, owner alive.
    func count(_ recipients: RosterSnapshot) -> Int {
        var count = 0
        recipients.visit { registration in
            if registration.isActive, isFor(registration), !registration.isDead { count += 1 }
        }
        return count
    }
}

extension MessageCenter {
    /// Sends where there is more to do than calling handlers on this thread now.
    func send<M: Message>(_ delivery: Delivery<M>, mode: DeliveryMode = .queued) -> Int {
        let thread = DeliveryThread.current
        var delivery = delivery
        if tracing.isWatched { delivery.origin = thread.traceOrigin(of: self) }
        delivery.mayTell.errors = !thread.isInside(.error, of: self)
        delivery.slip.mayTellErrors = delivery.mayTell.errors
        delivery.slip.tally?.enter()
        delivery.mayTell.unhandled = !thread.isInside(.unhandled, of: self)
        return channel(of: M.self, on: thread).use { channel in
            addForms(to: &delivery, by: channel)
            let recipients = delivery.allRecipients(with: channel.snapshot())
            let addressed = delivery.count(recipients)
            if !thread.isDelivering(for: self) {
                thread.turn(of: self) { deliver(delivery, by: channel, to: recipients, addressed) }
            } else if mode == .nested {
                deliver(delivery, by: channel, to: recipients, addressed)
            } else {
                // The center keeps the channel.
                thread.enqueue(for: self) { [self, delivery, channel] in
                    deliver(delivery, by: channel, to: recipients, addressed)
                }
            }
            return addressed
        }
    }

    /// Delivers to those in `recipients`, each where it belongs.
    private func deliver<M: Message>(
        _ delivery: Delivery<M>,
        by channel: Channel,
        to recipients: RosterSnapshot,
        _ addressed: Int
    ) {
        var trace = DeliveryTrace()
        if tracing.isWatched {
            trace = beginTrace(PostStamp(delivery, recipients: addressed), delivery.message)
        }
        var hasOrphans = false
        let slip = delivery.slip
        defer { slip.tally?.leave() }
        var turn = MainTurn(mainQueue, home: self)
        DeliveryThread.current.reading(channel, and: delivery.forms[...]) {
            recipients.visit { registration in
                guard delivery.isFor(registration) else {
                    hasOrphans = hasOrphans || registration.isOrphan
                    return
                }
                do {
                    let context = trace.context
                    let outcome = try trace.noting(registration) {
                        try delivery.hand(to: registration, by: &turn) {
                            lateCall(mayTell: slip.mayTellErrors, context)
                        }
                    }
                    if case .orphan = outcome { hasOrphans = true }
                } catch {
                    note(error, of: registration, slip)
                }
            }
        }
        endTrace(trace, delivery.message)
        if hasOrphans {
            channel.sweep()
            for form in delivery.forms { form.channel.sweep() }
        }
        if addressed == 0, delivery.mayTell.unhandled {
            tellUnhandled(delivery.message, named: delivery.name, at: delivery.source)
        }
    }

    /// Tells of an error who wants to know: who waits for the post, or the hook.
    func note(_ error: any Error, of registration: Registration, _ slip: DeliverySlip) {
        if let tally = slip.tally {
            tally.note(registration, error)
        } else if slip.mayTellErrors {
            report(error, of: registration)
        }
    }

    /// What a call needs that has to wait for the main actor.
    private func lateCall(mayTell: Bool, _ context: TraceContext?) -> LateCall {
        LateCall(context: context) { [self] error, registration in
            if mayTell { report(error, of: registration) }
        }
    }
}
