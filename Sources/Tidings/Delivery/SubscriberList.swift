// SPDX-License-Identifier: Apache-2.0

/// The registrations of one channel, as its lock guards them.
///
/// Registering appends to the buffer and leaving marks a slot; both leave those undisturbed who
/// read the buffer meanwhile. When the order or the waste asks for another buffer, the old one is
/// returned, for the caller to keep until its readers have left.
struct SubscriberList: Sendable {
    /// How many registrations an observe or a cancel looks at, at most, for those that died.
    ///
    /// Below that it looks at all of them. Posting and counting always do.
    static let sweepLimit = 1_024

    private(set) var buffer: SubscriberBuffer
    /// Messages that are kept for those who register later; nil if there never were any.
    var retained: RetentionStore<RetainedMessage>?
    /// How often a registration was added.
    private(set) var insertions = 0
    /// Whether nobody registers any more.
    private(set) var isFinished: Bool
    /// How many can die without being cancelled.
    private var expiring = 0
    private var sweepStart = 0

    init(_ buffer: SubscriberBuffer, isFinished: Bool = false) {
        self.buffer = buffer
        self.isFinished = isFinished
    }

    /// Adds a registration; returns the buffer that was replaced for it, if one was.
    mutating func insert(_ registration: Registration) -> SubscriberBuffer? {
        if registration.flags.canExpire { expiring += 1 }
        insertions += 1
        let extent = buffer.extent
        let isLast = extent.count == 0 || buffer[extent.count - 1].rank < registration.rank
        if isLast, extent.count < buffer.capacity {
            buffer.append(registration)
            return nil
        }
        return replaceBuffer(capacity: max(4, extent.alive * 2), adding: registration)
    }

    /// Takes a registration out; returns the buffer that was replaced for it, if one was.
    mutating func remove(at index: Int) -> SubscriberBuffer? {
        if buffer[index].flags.canExpire { expiring -= 1 }
        buffer.markRemoved(index)
        let extent = buffer.extent
        guard extent.dead > extent.alive + 64 else { return nil }
        return replaceBuffer(capacity: max(4, extent.alive + extent.alive / 2), adding: nil)
    }

    /// Takes everybody out for good and returns those who were there; nil if that was done before.
    mutating func finish() -> SubscriberSnapshot? {
        guard !isFinished else { return nil }
        isFinished = true
        defer {
            buffer = SubscriberBuffer(capacity: 0)
            expiring = 0
        }
        return SubscriberSnapshot(self)
    }

    /// The index of a registration that was not taken out.
    func index(of registration: Registration) -> Int? {
        let index = position(of: registration.rank)
        guard index < buffer.extent.count, buffer[index] === registration else { return nil }
        return buffer.isRemoved(index) ? nil : index
    }

    /// What a sweep looks at; nil if nobody here can die.
    mutating func beginSweep(atMost limit: Int) -> (SubscriberSnapshot, Range<Int>)? {
        guard expiring > 0 else { return nil }
        let extent = buffer.extent
        let snapshot = SubscriberSnapshot(buffer: buffer, extent: extent)
        guard limit < extent.count else { return (snapshot, 0..<extent.count) }
        if sweepStart >= extent.count { sweepStart = 0 }
        let range = sweepStart..<min(sweepStart + limit, extent.count)
        sweepStart = range.upperBound
        return (snapshot, range)
    }

    /// The index of the first registration that is not called before `rank`.
    private func position(of rank: Rank) -> Int {
        let count = buffer.extent.count
        guard count > 0, rank <= buffer[count - 1].rank else { return count }
        // The newest leave soonest.
        if buffer[count - 1].rank == rank { return count - 1 }
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if buffer[middle].rank < rank {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private mutating func replaceBuffer(
        capacity: Int,
        adding new: Registration?
    ) -> SubscriberBuffer {
        let old = buffer
        var new = new
        buffer = SubscriberBuffer(capacity: capacity)
        for index in 0..<old.extent.count where !old.isRemoved(index) {
            let registration = old[index]
            if let late = new, late.rank < registration.rank {
                buffer.append(late)
                new = nil
            }
            buffer.append(registration)
        }
        if let new { buffer.append(new) }
        return old
    }
}

/// How far a buffer is filled, how much of that is removed, and whether any of it can die.
///
/// One word, so that a reader finds the three as they belong together.
struct SubscriberExtent: Sendable {
    /// How many slots a buffer may have.
    static let limit = 4_000_000
    private static var expiringMark: UInt64 { 1 << 63 }

    let bits: UInt64

    init(bits: UInt64) {
        self.bits = bits
    }

    private init(count: Int, dead: Int, hasExpiring: Bool) {
        require(
            count <= Self.limit,
            """
            More than 4,000,000 observations of one type at a time: cancel those that are over, or \
            observe once and share.
            """
        )
        bits = (hasExpiring ? Self.expiringMark : 0) | UInt64(dead) << 22 | UInt64(count)
    }

    /// The extent with one slot more.
    func appending(canExpire: Bool) -> SubscriberExtent {
        SubscriberExtent(count: count + 1, dead: dead, hasExpiring: hasExpiring || canExpire)
    }

    /// The extent with one slot more removed.
    func removing() -> SubscriberExtent {
        SubscriberExtent(count: count, dead: dead + 1, hasExpiring: hasExpiring)
    }

    var count: Int { Int(bits & 0x3F_FFFF) }
    /// How many are removed.
    var dead: Int { Int(bits >> 22 & 0x3F_FFFF) }
    /// Whether one of them, removed or not, can die without being cancelled.
    var hasExpiring: Bool { bits & Self.expiringMark != 0 }
    var alive: Int { count - dead }
}

/// Those who were registered at one moment.
@usableFromInline
struct SubscriberSnapshot: Sendable {
    let buffer: SubscriberBuffer
    let extent: SubscriberExtent

    init(buffer: SubscriberBuffer, extent: SubscriberExtent) {
        self.buffer = buffer
        self.extent = extent
    }

    init(_ subscribers: SubscriberList) {
        self.init(buffer: subscribers.buffer, extent: subscribers.buffer.extent)
    }

    /// Calls `body` with each that was not removed since, in order.
    ///
    /// Only by a thread that reads the channel if handlers are called.
    func visit(_ body: (Registration) -> Void) {
        buffer.visit(upTo: extent.count, body)
    }

    /// How many of them live, owners and subjects included.
    func countLiving(where isWanted: (Registration) -> Bool = { _ in true }) -> Int {
        buffer.countLiving(upTo: extent.count, where: isWanted)
    }
}

extension SubscriberBuffer {
    /// How many of the first `count` live, owners and subjects included.
    @inline(never)
    func countLiving(
        upTo count: Int,
        where isWanted: (Registration) -> Bool = { _ in true }
    ) -> Int {
        var living = 0
        visit(upTo: count) { if $0.isActive, !$0.isDead, isWanted($0) { living += 1 } }
        return living
    }
}

extension Registration {
    /// Whether a message about `subject`, which the caller keeps alive, is for it, dead or alive.
    @inline(__always)
    func isFor(_ subject: (any AnyObject & Sendable)?) -> Bool {
        !flags.contains(.subject) || context.subject?.matches(subject) ?? false
    }

    /// Whether such a message addresses it: registered, subject matches, owner alive.
    @inline(__always)
    func isAddressed(about subject: (any AnyObject & Sendable)?) -> Bool {
        // One that the message is for has a subject that lives.
        isActive && isFor(subject) && !(flags.contains(.owned) && isExpired)
    }

    /// Whether it has an owner or a subject that died; cheap for those that have none.
    ///
    /// Never asked under a lock.
    var isDead: Bool { flags.canExpire && isExpired }
}
