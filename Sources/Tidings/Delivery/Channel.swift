// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Carries values of one type to those who are registered for them.
///
/// A center has one for each type of message, a publisher has one for its states. Who sends reads
/// the current subscriber list without a lock; who registers or leaves changes it under the
/// channel's lock. Unchecked because its superclass is; all of its own is constant, atomic or
/// locked by itself.
final class Channel: RegistrationHome, @unchecked Sendable {
    let subscribers: Lock<SubscriberList>
    private let buffer: CurrentBuffer
    private let population = Atomic(0)
    /// Those of them who are content with the newest of what waits.
    private let latest = Atomic(0)
    private let slowPathWord = Atomic(SlowPathReasons.none.word)
    /// The name that those who send here go by, if they have one.
    let name: String?
    /// Told when the first one registers and the last one leaves.
    private let presence = Lock<[PresenceHook]>([])
    private let hasPresence = Atomic(false)
    /// Whether the channel is finished and some have not ended yet who were registered.
    private let isLeaving = Atomic(false)
    private let pendingOnlyCalls = DrainingRegistrations()

    init(name: String? = nil, isFinished: Bool = false) {
        self.name = name
        let first = SubscriberBuffer(capacity: 0)
        buffer = CurrentBuffer(first)
        subscribers = Lock(SubscriberList(first, isFinished: isFinished))
        super.init()
    }

    deinit {
        // Nobody can be sending, since senders keep the channel.
        let buffer = subscribers.withLock { $0.buffer }
        buffer.visit(upTo: buffer.extent.count) { registration in
            _ = registration.end()
            registration.releaseClosures()
        }
        for hook in presence.withLock({ $0 }) { hook.end() }
    }

    /// Whether nobody is registered.
    @inline(__always)
    var isEmpty: Bool { population.load(ordering: .acquiring) == 0 }

    /// How many are registered, the dead included.
    var count: Int { population.load(ordering: .acquiring) }

    /// Whether all who are registered are content with the newest of what waits.
    ///
    /// Who leaves meanwhile may make this false, never true; who registers is kept out by the
    /// caller.
    var wantsOnlyLatest: Bool {
        let everybody = count
        return latest.load(ordering: .acquiring) >= everybody
    }

    /// Whether sending is nothing but calling handlers on this thread.
    @inline(__always)
    var isDirect: Bool { slowPathReasons == .none }

    /// The reasons for that not to be so.
    @inline(__always)
    var slowPathReasons: SlowPathReasons {
        SlowPathReasons(word: slowPathWord.load(ordering: .acquiring))
    }

    /// Adds or takes back reasons for which sending is more than calling handlers.
    func add(_ change: SlowPathReasons) {
        slowPathWord.add(change.word, ordering: .acquiringAndReleasing)
    }

    /// Calls `body` with those who are registered now; only by a thread that reads the channel.
    @inline(__always)
    func withBuffer<Result>(_ body: (SubscriberBuffer) -> Result) -> Result {
        buffer.read(body)
    }

    /// Whether nobody has replaced the buffer that is read.
    @inline(__always)
    func isCurrent(_ read: SubscriberBuffer) -> Bool { buffer.isCurrent(read) }

    /// Takes an ended registration out, then others whose owner has died.
    override func remove(_ registration: Registration) {
        DeliveryThread.current.state { $0.removals &+= 1 }
        forget(registration)
        release(registration)
        sweep(atMost: SubscriberList.sweepLimit)
    }

    override func removeBeforeOnlyCall(_ registration: Registration) {
        pendingOnlyCalls.insert(registration)
        remove(registration)
    }

    /// The registrations that have ended, but still have their only message in their queue.
    var draining: [Registration] { pendingOnlyCalls.all }

    /// Takes a registration out without touching its handler.
    override func forget(_ registration: Registration) {
        retire(subscribers.withLock { forget(registration, in: &$0) })
    }

    /// Those who are registered now, for a delivery that comes later or takes the slow path.
    func snapshot() -> SubscriberSnapshot {
        subscribers.withLock { SubscriberSnapshot($0) }
    }
}

extension Channel {
    /// Adds a registration, which takes part in everything that is sent from now on.
    ///
    /// If the channel is finished the registration ends at once.
    func insert(_ registration: Registration) {
        conclude(subscribers.withLock { insert(registration, into: &$0) }, of: registration)
    }

    /// Adds a registration unless `isUnwanted` says so; false then.
    ///
    /// It is asked in the same step, under the channel's lock: nothing foreign.
    func insert(_ registration: Registration, unless isUnwanted: (SubscriberList) -> Bool) -> Bool {
        let insertion = subscribers.withLock { subscribers -> Insertion? in
            isUnwanted(subscribers) ? nil : insert(registration, into: &subscribers)
        }
        guard let insertion else { return false }
        conclude(insertion, of: registration)
        return true
    }

    /// What the caller does after it has left the lock.
    enum Insertion: Sendable {
        /// The buffer that was replaced for it, if one was.
        case done(SubscriberBuffer?)
        /// The channel is finished.
        case refused
    }

    /// Ends what `insert(_:into:)` began, outside the lock.
    func conclude(_ insertion: Insertion, of registration: Registration) {
        switch insertion {
        case .done(let retired): retire(retired)
        case .refused: reject(registration)
        }
    }

    /// Ends observations whose owner or subject has died.
    ///
    /// - Parameter limit: How many to look at; the next call goes on behind them.
    func sweep(atMost limit: Int = .max) {
        guard let (snapshot, range) = subscribers.withLock({ $0.beginSweep(atMost: limit) }) else {
            return
        }
        for index in range where !snapshot.buffer.isRemoved(index) {
            let registration = snapshot.buffer[index]
            guard registration.flags.canExpire, registration.isExpired else { continue }
            let isEnded = registration.end()
            forget(registration)
            // Else whoever ended it will.
            if isEnded { release(registration) }
        }
    }

    /// Adds a registration under the channel's lock.
    func insert(_ registration: Registration, into subscribers: inout SubscriberList) -> Insertion {
        if subscribers.isFinished { return .refused }
        if !registration.flags.isPlain { add(registration.flags.slowPathReasons) }
        let retired = subscribers.insert(registration)
        if retired != nil { buffer.replace(with: subscribers.buffer) }
        population.add(1, ordering: .acquiringAndReleasing)
        if registration.flags.contains(.latest) { latest.add(1, ordering: .releasing) }
        return .done(retired)
    }

    private func forget(
        _ registration: Registration,
        in subscribers: inout SubscriberList
    ) -> SubscriberBuffer? {
        guard let index = subscribers.index(of: registration) else { return nil }
        let retired = subscribers.remove(at: index)
        if retired != nil { buffer.replace(with: subscribers.buffer) }
        // First: see `wantsOnlyLatest`.
        if registration.flags.contains(.latest) { latest.subtract(1, ordering: .releasing) }
        population.subtract(1, ordering: .acquiringAndReleasing)
        registration.noteRemoval()
        if !registration.flags.isPlain { add(-registration.flags.slowPathReasons) }
        return retired
    }

    /// Takes everybody out for good, under the channel's lock; the caller keeps those who leave.
    func finish(_ subscribers: inout SubscriberList) -> SubscriberSnapshot? {
        guard let leaving = subscribers.finish() else { return nil }
        buffer.replace(with: subscribers.buffer)
        isLeaving.store(leaving.extent.alive > 0, ordering: .releasing)
        latest.store(0, ordering: .releasing)
        population.store(0, ordering: .releasing)
        return leaving
    }

    /// Ends a change of the subscriber list, outside the lock.
    ///
    /// Keeps a buffer that was replaced until its last reader has left, and tells those who want to
    /// know whether anybody is registered.
    func retire(_ buffer: SubscriberBuffer?) {
        if let buffer, !Readers.haveLeft(address) {
            Readers.afterLeaving(address) { withExtendedLifetime(buffer) {} }
        }
        if hasPresence.load(ordering: .acquiring) { updatePresence() }
    }
}

extension Channel {
    /// Begins to tell a hook, at once if anybody is registered; ends it if the channel is finished.
    func add(_ hook: PresenceHook) {
        presence.withLock { $0.append(hook) }
        // Under the lock of the subscriber list: whoever registers before it is seen by the hook,
        // whoever registers after it sees the flag.
        let isFinished = subscribers.withLock { subscribers in
            hasPresence.store(true, ordering: .releasing)
            return subscribers.isFinished
        }
        if isFinished {
            remove(hook)
            hook.end()
        } else {
            hook.update { isObserved }
        }
    }

    /// Tells a hook no more.
    func remove(_ hook: PresenceHook) {
        presence.withLock { $0.removeAll { $0 === hook } }
    }

    /// Ends every hook: those have ended who were registered when the channel was finished.
    func endPresence() {
        isLeaving.store(false, ordering: .releasing)
        let hooks = presence.withLock { hooks in
            defer { hooks = [] }
            return hooks
        }
        for hook in hooks { hook.end() }
    }

    /// Whether hooks are to run what they start.
    private var isObserved: Bool { !isEmpty || isLeaving.load(ordering: .acquiring) }

    private func updatePresence() {
        for hook in presence.withLock({ $0 }) { hook.update { isObserved } }
    }
}
