// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Makes and adds a registration, and delivers the messages retained for this registration.
    func register<M: Message>(
        _ settings: RegistrationSettings,
        in channel: Channel,
        replay: Replay,
        of type: M.Type,
        _ make: (RegistrationSettings) -> Registration
    ) -> Registration {
        if replay.limit == 0 {
            let registration = make(settings)
            if channel.insertUnlessWaitedFor(registration) { return registration }
        }
        // A finishing center completes the replay and delivers the messages that other threads
        // leave at the gate.
        let mayBegin = inProgress.begin()
        defer { if mayBegin { inProgress.end() } }
        let gate = ReplayGate<GatedCall>()
        var settings = settings
        settings.flags.insert(.gated)
        settings.gate = gate
        let registration = make(settings)
        // This precedes the insertion, so that no post misses the registration while the gate is
        // closed.
        channel.add(.full(1))
        let replayed = channel.insert(registration, replaying: replay)
        tell(registration, of: replayed.compactMap { delivery(of: $0) as Delivery<M>? }, gate)
        channel.add(.full(-1))
        return registration
    }

    /// Delivers the retained messages to a registration, then the messages that were posted during
    /// the replay.
    private func tell<M: Message>(
        _ registration: Registration,
        of replayed: [Delivery<M>],
        _ gate: ReplayGate<GatedCall>
    ) {
        guard let home = registration.currentHome else { return }
        let thread = DeliveryThread.current
        thread.deliver(for: self) {
            thread.reading(home) {
                for delivery in replayed { tell(registration, of: delivery) }
                while let call = gate.next() { call(registration) }
            }
        }
    }

    /// Delivers one message to one registration only.
    private func tell<M: Message>(
        _ registration: Registration,
        of delivery: Delivery<M>,
        _ traceContext: TraceContext? = nil
    ) {
        let thread = DeliveryThread.current
        // The pending calls belong to other registrations. A drain here would call an observer
        // inside a call of the same observer.
        var turn = MainTurn(mainQueue, home: self, drainsFirst: false)
        if let traceContext { thread.beginTrace(traceContext) }
        do {
            _ = try call(registration, with: delivery, in: &turn, traceContext)
        } catch {
            note(error, of: registration, delivery.context)
        }
        if traceContext != nil { thread.endTrace() }
    }

    /// Returns the call that delivers a live message which waited behind a replay.
    func gatedCall<M: Message>(_ delivery: Delivery<M>, _ traceContext: TraceContext?) -> GatedCall
    {
        { [self] registration in
            tell(registration, of: delivery, traceContext)
            delivery.context.group?.leave()
        }
    }

    private func delivery<M: Message>(of replayed: ReplayedMessage) -> Delivery<M>? {
        let retained = replayed.entry.element
        guard let message = retained.message as? M else { return nil }
        var delivery = Delivery(message: message, about: retained.about, source: retained.source)
        delivery.note(.current, of: self)
        if let place = replayed.place {
            delivery.acknowledgment = acknowledgment(for: delivery, at: place, forOne: true)
        }
        return delivery
    }
}
