// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Channel {
    typealias Retained = RetentionStore<RetainedMessage>

    /// Takes a snapshot and retains a message in one step, so that every registration is either in
    /// the snapshot or finds the message.
    func snapshot(
        keeping message: RetainedMessage,
        about subject: (any AnyObject)?,
        atMost limit: Int
    ) -> SubscriberSnapshot {
        let subject = subject.map { ObjectIdentifier($0) }
        let (snapshot, dropped, isDueForSweep) = changeRetained { subscribers, retained in
            let dropped = retained.keep(message, about: subject, atMost: limit)
            return (SubscriberSnapshot(subscribers), dropped, retained.isDueForSweep)
        }
        // Released here and not under the lock.
        withExtendedLifetime(dropped) {}
        if isDueForSweep { forgetDead() }
        return snapshot
    }

    /// Takes a snapshot for a message that waits when no observer takes the message.
    func snapshotForWaiting() -> (SubscriberSnapshot, WaitingPlace) {
        changeRetained { subscribers, retained in
            let place = WaitingPlace(
                serial: retained.makeSerial(),
                insertions: subscribers.insertions
            )
            return (SubscriberSnapshot(subscribers), place)
        }
    }

    /// Takes another snapshot for a message that already has a place.
    func snapshot(again place: inout WaitingPlace) -> SubscriberSnapshot {
        let (snapshot, insertions) = subscribers.withLock {
            (SubscriberSnapshot($0), $0.insertions)
        }
        place.insertions = insertions
        return snapshot
    }

    /// Lets a message wait for the first recipient.
    ///
    /// - Returns: False if an observer registered since the message's last snapshot.
    func wait(_ message: RetainedMessage, at place: WaitingPlace) -> Bool {
        changeRetained { subscribers, retained in
            guard subscribers.insertions == place.insertions else { return false }
            retained.wait(Retained.Entry(serial: place.serial, element: message))
            return true
        }
    }

    /// Returns all retained messages, in the order of their posts.
    func retained() -> [Retained.Entry] {
        subscribers.withLock { $0.retained }?.entries ?? []
    }

    /// Forgets all retained messages.
    func clearRetained() {
        let dropped = changeRetained { $1.clear() }
        withExtendedLifetime(dropped) {}
    }

    /// Forgets messages whose subject has expired.
    private func forgetDead() {
        let entries = subscribers.withLock { $0.retained }?.newestEntries ?? []
        let dead = entries.filter(\.element.isForgotten).map(\.serial)
        let dropped = changeRetained { $1.removeNewest(Set(dead)) }
        withExtendedLifetime((dropped, entries)) {}
    }

    private func changeRetained<Result: Sendable>(
        _ body: (SubscriberList, inout Retained) -> Result
    ) -> Result {
        let (result, needless) = subscribers.withLock { subscribers in
            var retained = subscribers.retained.take() ?? Retained()
            let result = body(subscribers, &retained)
            if subscribers.isFinished { return (result, retained as Retained?) }
            subscribers.retained = retained
            return (result, nil)
        }
        // Released here and not under the lock.
        withExtendedLifetime(needless) {}
        return result
    }
}

extension Channel {
    /// Adds a registration, unless messages are waiting that the registration may have to receive
    /// first.
    func insertUnlessWaitedFor(_ registration: Registration) -> Bool {
        insert(registration) { subscribers in subscribers.retained?.waiting.isEmpty == false }
    }

    /// Adds a gated registration and, in one step, takes the messages that the registration
    /// receives first.
    ///
    /// - Returns: The messages for the registration, in the order of their posts.
    func insert(_ registration: Registration, replaying replay: Replay) -> [ReplayedMessage] {
        let filter = registration.context.subject
        var claim: Claim?
        while claim == nil {
            claim = self.claim(wanted(by: registration), for: registration)
        }
        guard let claim else { return [] }
        let kept = replay.limit > 0 ? claim.retained?.newestEntries ?? [] : []
        let told = kept.filter { $0.element.passes(filter) }.suffix(replay.limit)
        let replayed = told.map { ReplayedMessage(entry: $0, insertions: nil) }
        let claimed = claim.taken.map { ReplayedMessage(entry: $0, insertions: claim.insertions) }
        return (replayed + claimed).sorted { $0.entry.serial < $1.entry.serial }
    }

    /// The waiting messages that a registration takes.
    private enum Wanted {
        case first(Int)
        /// The messages with these serial numbers, unless the waiting messages changed since that
        /// version.
        case these(Set<UInt64>, version: Int)
    }

    private func wanted(by registration: Registration) -> Wanted {
        // A registration that ends with its first call leaves the remaining messages to later
        // observers.
        let takesOne = registration.flags.contains(.once) && registration.context.filter == nil
        let limit = takesOne ? 1 : Int.max
        guard let filter = registration.context.subject else { return .first(limit) }
        let (waiting, version) = subscribers.withLock { subscribers in
            (subscribers.retained?.waiting ?? [], subscribers.retained?.version ?? 0)
        }
        // The check is made here and not under the lock, because the check may release a subject.
        let wanted = waiting.filter { $0.element.passes(filter) }.map(\.serial).prefix(limit)
        return .these(Set(wanted), version: version)
    }

    private struct Claim: Sendable {
        let insertion: Insertion
        let insertions: Int
        let retained: Retained?
        let taken: [Retained.Entry]
    }

    /// Adds a registration and takes the messages that wait for this registration.
    ///
    /// - Returns: The claim, or nil if the caller must try again.
    private func claim(_ wanted: Wanted, for registration: Registration) -> Claim? {
        let claim = subscribers.withLock { subscribers -> Claim? in
            let taken: [Retained.Entry]
            switch wanted {
            case .first(let limit):
                taken = subscribers.retained?.takeWaiting(atMost: limit) ?? []
            case .these(let serials, let version):
                guard (subscribers.retained?.version ?? 0) == version else { return nil }
                taken = subscribers.retained?.takeWaiting(serials) ?? []
            }
            let insertion = insert(registration, into: &subscribers)
            return Claim(
                insertion: insertion,
                insertions: subscribers.insertions,
                retained: subscribers.retained,
                taken: taken
            )
        }
        if let claim { conclude(claim.insertion, of: registration) }
        return claim
    }
}

/// A message that an observation receives before any live one.
struct ReplayedMessage: Sendable {
    let entry: Channel.Retained.Entry
    /// The number of registrations ever added to the channel when this registration took the
    /// waiting message, or nil if the message did not wait.
    let insertions: Int?

    /// The place where the message waits again if no handler takes the message.
    var place: WaitingPlace? {
        insertions.map { WaitingPlace(serial: entry.serial, insertions: $0) }
    }
}

/// The place of a message that waits if no handler takes the message.
struct WaitingPlace: Sendable {
    /// The message's position among the waiting messages.
    let serial: UInt64
    /// The number of registrations ever added to the channel when the message was last offered to
    /// all observers.
    var insertions: Int
}
