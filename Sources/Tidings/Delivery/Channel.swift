// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Carries values of one type to the registered observers.
///
/// A center has one channel for each type of message, and a publisher has one channel for the
/// states. Senders read the current subscriber list without a lock. Registering and removing change
/// the list under the channel's lock.
///
/// Unchecked because the superclass is unchecked. Every added property is constant, is
/// atomic or has its own lock.
final class Channel: RegistrationHome, @unchecked Sendable {
    let subscribers: Lock<SubscriberList>
    private let buffer: CurrentBuffer
    private let population = Atomic(0)
    /// The number of registrations that keep only the newest pending value.
    private let latest = Atomic(0)
    private let slowPathWord = Atomic(SlowPathReasons.none.word)
    /// The name under which senders post here, if there is one.
    let name: String?
    /// The hooks that are called when the first observer registers and when the last observer
    /// leaves.
    ///
    /// Each change stores a new array, because threads still read the old array outside the lock.
    private let presence = Lock<[PresenceHook]>([])
    private let hasPresence = Atomic(false)
    /// Whether the channel is finished and some registrations have not ended yet.
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
        // Senders keep the channel alive, so no sender can be active here.
        let buffer = subscribers.withLock { $0.buffer }
        buffer.visit(upTo: buffer.extent.count) { registration in
            _ = registration.end()
            registration.releaseClosures()
        }
        for hook in presence.withLock({ $0 }) { hook.end() }
    }

    /// Whether the channel has no registration.
    @inline(__always)
    var isEmpty: Bool { population.load(ordering: .acquiring) == 0 }

    /// The number of registrations, including expired ones.
    var count: Int { population.load(ordering: .acquiring) }

    /// Whether every registration keeps only the newest pending value.
    ///
    /// A concurrent removal may make this false, but never true. The caller excludes concurrent
    /// registrations.
    var wantsOnlyLatest: Bool {
        // The population is read first, because a removal subtracts from the population last.
        let all = count
        return latest.load(ordering: .acquiring) >= all
    }

    /// Whether sending does nothing but call handlers on this thread.
    @inline(__always)
    var isDirect: Bool { slowPathReasons == .none }

    /// The reasons why sending does more than call handlers on this thread.
    @inline(__always)
    var slowPathReasons: SlowPathReasons {
        SlowPathReasons(word: slowPathWord.load(ordering: .acquiring))
    }

    /// Adds or removes reasons for the slow path.
    func add(_ change: SlowPathReasons) {
        slowPathWord.add(change.word, ordering: .acquiringAndReleasing)
    }

    /// Calls `body` with the current registrations.
    ///
    /// The calling thread must be reading the channel.
    @inline(__always)
    func withBuffer<Result>(_ body: (SubscriberBuffer) -> Result) -> Result {
        buffer.read(body)
    }

    /// Whether the buffer that the caller reads has not been replaced.
    @inline(__always)
    func isCurrent(_ read: SubscriberBuffer) -> Bool { buffer.isCurrent(read) }

    /// Removes an ended registration, then sweeps expired registrations.
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

    /// The ended registrations whose only message is still in a queue.
    var draining: [Registration] { pendingOnlyCalls.all }

    /// Removes a registration without touching the handler.
    override func forget(_ registration: Registration) {
        retire(subscribers.withLock { forget(registration, in: &$0) })
    }

    /// Returns the current registrations, for a delivery that comes later or takes the slow path.
    func snapshot() -> SubscriberSnapshot {
        subscribers.withLock { SubscriberSnapshot($0) }
    }
}

extension Channel {
    /// Adds a registration, which receives everything that is sent from now on.
    ///
    /// If the channel is finished, the registration ends immediately.
    func insert(_ registration: Registration) {
        conclude(subscribers.withLock { insert(registration, into: &$0) }, of: registration)
    }

    /// Adds a registration unless `isUnwanted` returns true, and returns whether it was added.
    ///
    /// `isUnwanted` runs in the same step, under the channel's lock, so this closure must not call
    /// foreign code.
    func insert(_ registration: Registration, unless isUnwanted: (SubscriberList) -> Bool) -> Bool {
        let insertion = subscribers.withLock { subscribers -> Insertion? in
            isUnwanted(subscribers) ? nil : insert(registration, into: &subscribers)
        }
        guard let insertion else { return false }
        conclude(insertion, of: registration)
        return true
    }

    /// The step that the caller takes after leaving the lock.
    enum Insertion: Sendable {
        /// The registration was added and replaced this buffer, if any.
        case done(SubscriberBuffer?)
        /// The channel is finished.
        case refused
    }

    /// Completes `insert(_:into:)`, outside the lock.
    func conclude(_ insertion: Insertion, of registration: Registration) {
        switch insertion {
        case .done(let retired): retire(retired)
        case .refused: reject(registration)
        }
    }

    /// Ends observations whose owner or subject has expired.
    ///
    /// - Parameter limit: The number of registrations to check. The next call continues after
    ///   these.
    func sweep(atMost limit: Int = .max) {
        guard let (snapshot, range) = subscribers.withLock({ $0.beginSweep(atMost: limit) }) else {
            return
        }
        for index in range where !snapshot.buffer.isRemoved(index) {
            let registration = snapshot.buffer[index]
            guard registration.flags.canExpire, registration.isExpired else { continue }
            let isEnded = registration.end()
            forget(registration)
            // Otherwise the thread that ended the registration also releases it.
            if isEnded { release(registration) }
        }
    }

    /// Adds a registration for a caller that holds the channel's lock.
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
        // The population is subtracted last: see `wantsOnlyLatest`.
        if registration.flags.contains(.latest) { latest.subtract(1, ordering: .releasing) }
        population.subtract(1, ordering: .acquiringAndReleasing)
        registration.noteRemoval()
        if !registration.flags.isPlain { add(-registration.flags.slowPathReasons) }
        return retired
    }

    /// Removes every registration for good.
    ///
    /// The caller holds the channel's lock and keeps the result.
    func finish(_ subscribers: inout SubscriberList) -> SubscriberSnapshot? {
        guard let leaving = subscribers.finish() else { return nil }
        buffer.replace(with: subscribers.buffer)
        isLeaving.store(leaving.extent.alive > 0, ordering: .releasing)
        latest.store(0, ordering: .releasing)
        population.store(0, ordering: .releasing)
        return leaving
    }

    /// Completes a change of the subscriber list, outside the lock.
    ///
    /// Keeps a replaced buffer until the last reader has left, and updates the presence hooks.
    func retire(_ buffer: SubscriberBuffer?) {
        if let buffer, !Readers.haveLeft(address) {
            Readers.afterLeaving(address) { withExtendedLifetime(buffer) {} }
        }
        if hasPresence.load(ordering: .acquiring) { updatePresence() }
    }
}

extension Channel {
    /// Adds a hook and starts the hook immediately if there is a registration.
    ///
    /// If the channel is finished, the hook ends instead.
    func add(_ hook: PresenceHook) {
        presence.withLock { $0 = $0 + [hook] }
        // The flag changes under the lock of the subscriber list. The hook's update therefore
        // includes every earlier registration, and every later registration reads the flag.
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

    /// Removes a hook, which later changes do not call.
    func remove(_ hook: PresenceHook) {
        presence.withLock { hooks in hooks = hooks.filter { $0 !== hook } }
    }

    /// Ends every hook, after the registrations of the finished channel have ended.
    func endPresence() {
        isLeaving.store(false, ordering: .releasing)
        let hooks = presence.withLock { hooks in
            defer { hooks = [] }
            return hooks
        }
        for hook in hooks { hook.end() }
    }

    /// Whether hooks should be started.
    private var isObserved: Bool { !isEmpty || isLeaving.load(ordering: .acquiring) }

    private func updatePresence() {
        for hook in presence.withLock({ $0 }) { hook.update { isObserved } }
    }
}
