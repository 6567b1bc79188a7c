// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Finds those who observe a message's type and, in the same step, retains it if that was
    /// asked for.
    func observers<M: Message>(
        of delivery: inout Delivery<M>,
        in channel: Channel
    ) -> SubscriberSnapshot {
        switch delivery.retention {
        case nil: return channel.snapshot()
        case .newest(let limit):
            let message = RetainedMessage(delivery, .mortal)
            return channel.snapshot(keeping: message, about: delivery.about, atMost: limit)
        case .untilHandled: return observersOrPlace(of: &delivery, in: channel)
        }
    }

    /// Finds those who may take a message that waits until it is handled, or lets it wait.
    private func observersOrPlace<M: Message>(
        of delivery: inout Delivery<M>,
        in channel: Channel
    ) -> SubscriberSnapshot {
        var (snapshot, place) = channel.snapshotForWaiting()
        while delivery.count(snapshot) == 0 {
            if channel.wait(RetainedMessage(delivery, .kept), at: place) { return snapshot }
            snapshot = channel.snapshot(again: &place)
        }
        delivery.acknowledgment = acknowledgment(for: delivery, at: place, forOne: false)
        return snapshot
    }

    /// What lets a message wait again if nobody takes it.
    ///
    /// One that waited once is for the first who takes it.
    func acknowledgment<M: Message>(
        for delivery: Delivery<M>,
        at place: WaitingPlace,
        forOne isForOne: Bool
    ) -> Acknowledgment {
        // A mailbox keeps the acknowledgment, and nobody who waits keeps a center.
        Acknowledgment(forOne: isForOne) { [weak self] in
            guard let self else { return }
            var delivery = delivery
            delivery.acknowledgment = nil
            // Only those who observe its type take it.
            delivery.forms = nil
            offerAgain(delivery, from: place)
        }
    }

    /// Lets a message wait that nobody took, or offers it to those who observe now if somebody
    /// began to since it was offered.
    private func offerAgain<M: Message>(_ delivery: Delivery<M>, from place: WaitingPlace) {
        channel(of: M.self, on: .current).use { channel in
            if channel.wait(RetainedMessage(delivery, .kept), at: place) { return }
            guard inProgress.begin() else { return }
            var place = place
            let recipients = channel.snapshot(again: &place)
            var delivery = delivery
            delivery.isRepeated = true
            delivery.reports.unhandled = false
            delivery.acknowledgment = acknowledgment(for: delivery, at: place, forOne: true)
            let addressed = delivery.count(recipients)
            send(delivery, by: channel, to: recipients, addressed)
        }
    }
}

extension RetainedMessage {
    /// How long a retained message keeps what it is about.
    enum SubjectLife {
        case mortal
        case kept
    }

    init<M: Message>(_ delivery: Delivery<M>, _ life: SubjectLife) {
        message = delivery.message
        source = delivery.source
        switch (delivery.about, life) {
        case (nil, _): subject = .nothing
        case (let about?, .mortal): subject = .mortal(WeakSubject(about))
        case (let about?, .kept): subject = .kept(about)
        }
    }
}

extension Delivery {
    /// The acknowledgment, if it is this registration that may take the message.
    func acknowledgment(from registration: Registration) -> Acknowledgment? {
        guard let acknowledgment, let forms else { return acknowledgment }
        return forms.taken(by: registration) == nil ? acknowledgment : nil
    }
}
