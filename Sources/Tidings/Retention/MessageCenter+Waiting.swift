// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension MessageCenter {
    /// Finds the observers of a message's type and, in the same step, retains the message if the
    /// post requires retention.
    func observers<M: Message>(
        of delivery: inout Delivery<M>,
        in channel: Channel
    ) -> SubscriberSnapshot {
        switch delivery.retention {
        case nil: return channel.snapshot()
        case .newest(let limit):
            let message = RetainedMessage(delivery, .weak)
            return channel.snapshot(keeping: message, about: delivery.about, atMost: limit)
        case .untilHandled: return observersOrPlace(of: &delivery, in: channel)
        }
    }

    /// Finds the observers that may take a message that is retained until handled, or lets the
    /// message wait.
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

    /// Returns the acknowledgment that lets an untaken message wait again.
    ///
    /// A message that has waited is only for the first handler that takes the message.
    func acknowledgment<M: Message>(
        for delivery: Delivery<M>,
        at place: WaitingPlace,
        forOne isForOne: Bool
    ) -> Acknowledgment {
        // A mailbox keeps the acknowledgment, and a pending message must not keep a center alive.
        Acknowledgment(forOne: isForOne) { [weak self] in
            guard let self else { return }
            var delivery = delivery
            delivery.acknowledgment = nil
            // Only observers of the message's type can take the message.
            delivery.forms = nil
            offerAgain(delivery, from: place)
        }
    }

    /// Lets a message wait that no handler took, or offers the message to the current observers if
    /// an observer has registered since the last offer.
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
    /// The way in which a retained message refers to its subject.
    enum SubjectLife {
        case weak
        case kept
    }

    init<M: Message>(_ delivery: Delivery<M>, _ life: SubjectLife) {
        message = delivery.message
        source = delivery.source
        switch (delivery.about, life) {
        case (nil, _): subject = .nothing
        case (let about?, .weak): subject = .weak(WeakSubject(about))
        case (let about?, .kept): subject = .kept(about)
        }
    }
}

extension Delivery {
    /// Returns the acknowledgment, if this registration may take the message.
    func acknowledgment(from registration: Registration) -> Acknowledgment? {
        guard let acknowledgment, let forms else { return acknowledgment }
        return forms.taken(by: registration) == nil ? acknowledgment : nil
    }
}

/// Records whether a handler took a message that is retained until handled.
///
/// Every call that may still receive the message keeps the acknowledgment. If the last call
/// releases the acknowledgment and no handler has taken the message, the message waits again.
final class Acknowledgment: Sendable {
    /// Whether only the first handler may take the message, instead of all handlers.
    private let isForOne: Bool
    private let isTaken = Atomic(false)
    private let nobodyTook: @Sendable () -> Void

    init(forOne isForOne: Bool, _ nobodyTook: @escaping @Sendable () -> Void) {
        self.isForOne = isForOne
        self.nobodyTook = nobodyTook
    }

    deinit {
        if !isTaken.load(ordering: .acquiring) { nobodyTook() }
    }

    /// Returns whether a handler may be called with the message.
    ///
    /// If the result is true, the caller must note the outcome.
    func admits() -> Bool {
        !isForOne || !isTaken.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Notes whether a handler that `admits` allowed was called.
    func note(called wasCalled: Bool) {
        if wasCalled || isForOne { isTaken.store(wasCalled, ordering: .releasing) }
    }
}
