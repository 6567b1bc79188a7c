// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Channel {
    typealias Retained = RetentionStore<RetainedMessage>

    /// Takes a snapshot and retains a message in one step, so that whoever registers is either in
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
        // Released here, not under the lock.
        withExtendedLifetime(dropped) {}
        if isDueForSweep { forgetDead() }
        return snapshot
    }

    /// Takes a snapshot for a message that waits if nobody is handed it.
    func snapshotForWaiting() -> (SubscriberSnapshot, WaitingPlace) {
        changeRetained { subscribers, retained in
            let place = WaitingPlace(
                serial: retained.makeSerial(),
                insertions: subscribers.insertions
            )
            return (SubscriberSnapshot(subscribers), place)
        }
    }

    /// The same, for a message that has its place already.
    func snapshot(again place: inout WaitingPlace) -> SubscriberSnapshot {
        let (snapshot, insertions) = subscribers.withLock {
            (SubscriberSnapshot($0), $0.insertions)
        }
        place.insertions = insertions
        return snapshot
    }

    /// Lets a message wait; false if somebody registered since its place was taken.
    func wait(_ message: RetainedMessage, at place: WaitingPlace) -> Bool {
        changeRetained { subscribers, retained in
            guard subscribers.insertions == place.insertions else { return false }
            retained.wait(Retained.Entry(serial: place.serial, element: message))
            return true
        }
    }

    /// Everything that is retained, in the order in which it was posted.
    func retained() -> [Retained.Entry] {
        subscribers.withLock { $0.retained }?.entries ?? []
    }

    /// Retains nothing any more.
    func clearRetained() {
        let dropped = changeRetained { $1.clear() }
        withExtendedLifetime(dropped) {}
    }

    /// Forgets messages whose subject has died.
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
        // Released here, not under the lock.
        withExtendedLifetime(needless) {}
        return result
    }
}

extension Channel {
    /// Adds a registration unless messages wait for one that can be told of them first.
    func insertUnlessWaitedFor(_ registration: Registration) -> Bool {
        insert(registration) { subscribers in subscribers.retained?.waiting.isEmpty == false }
    }

    /// Adds a gated registration and takes what it is told first, in one step.
    ///
    /// - Returns: What it is told, in the order in which it was posted.
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

    /// Which messages that wait a registration takes.
    private enum Wanted {
        case first(Int)
        /// These, unless something else waits since that version.
        case these(Set<UInt64>, version: Int)
    }

    private func wanted(by registration: Registration) -> Wanted {
        // One that ends with its first call leaves the others to those who come later.
        let takesOne = registration.flags.contains(.once) && registration.context.filter == nil
        let limit = takesOne ? 1 : Int.max
        guard let filter = registration.context.subject else { return .first(limit) }
        let (waiting, version) = subscribers.withLock { subscribers in
            (subscribers.retained?.waiting ?? [], subscribers.retained?.version ?? 0)
        }
        // Asked here and not under the lock: subjects may die of being asked for.
        let wanted = waiting.filter { $0.element.passes(filter) }.map(\.serial).prefix(limit)
        return .these(Set(wanted), version: version)
    }

    private struct Claim: Sendable {
        let insertion: Insertion
        let insertions: Int
        let retained: Retained?
        let taken: [Retained.Entry]
    }

    /// Adds a registration and takes what waits for it; nil if that must be asked again.
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

/// A message that an observation is told before any live one.
struct ReplayedMessage: Sendable {
    let entry: Channel.Retained.Entry
    /// How many registrations the channel had seen when this one took it from those that wait;
    /// nil if it did not wait.
    let insertions: Int?

    /// Where it waits again if it is not taken.
    var place: WaitingPlace? {
        insertions.map { WaitingPlace(serial: entry.serial, insertions: $0) }
    }
}

/// Where a message waits if nobody takes it.
struct WaitingPlace: Sendable {
    /// Its place among those that wait.
    let serial: UInt64
    /// How many registrations the channel had seen when it was last offered to all of them.
    var insertions: Int
}
