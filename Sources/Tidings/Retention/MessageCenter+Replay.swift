// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Makes a registration, adds it and tells it what was retained for it.
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
        // A center that finishes completes what is told here and what others leave at the gate.
        let mayBegin = inProgress.begin()
        defer { if mayBegin { inProgress.end() } }
        let gate = ReplayGate<GatedCall>()
        var settings = settings
        settings.flags.insert(.gated)
        settings.gate = gate
        let registration = make(settings)
        // Before it is shown: until the gate is open no poster overlooks it.
        channel.add(.full(1))
        let replayed = channel.insert(registration, replaying: replay)
        tell(registration, of: replayed.compactMap { delivery(of: $0) as Delivery<M>? }, gate)
        channel.add(.full(-1))
        return registration
    }

    /// Tells a registration what was retained for it, then what was posted meanwhile.
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

    /// Tells one registration of a message apart from the others.
    private func tell<M: Message>(
        _ registration: Registration,
        of delivery: Delivery<M>,
        _ traceContext: TraceContext? = nil
    ) {
        let thread = DeliveryThread.current
        // What waits is for others: run here, it would call an observer inside its own call.
        var turn = MainTurn(mainQueue, home: self, drainsFirst: false)
        if let traceContext { thread.beginTrace(traceContext) }
        do {
            _ = try call(registration, with: delivery, &turn, traceContext)
        } catch {
            note(error, of: registration, delivery.context)
        }
        if traceContext != nil { thread.endTrace() }
    }

    /// What tells a registration of a live message that has waited behind a replay.
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
