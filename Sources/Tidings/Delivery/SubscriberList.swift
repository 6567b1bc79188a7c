// SPDX-License-Identifier: Apache-2.0

/// The registrations of one channel, guarded by the channel's lock.
///
/// Registering appends to the buffer, and removing marks a slot. Neither operation disturbs
/// concurrent readers of the buffer. When the order or the number of removed slots requires a new
/// buffer, the mutating method returns the old buffer, and the caller keeps it until all readers
/// have left.
struct SubscriberList: Sendable {
    /// The maximum number of registrations that an observe or a cancel checks for expiry.
    ///
    /// Shorter lists are checked completely. Posting and counting always check every registration.
    static let sweepLimit = 1_024

    private(set) var buffer: SubscriberBuffer
    /// The messages retained for later observers, or nil if there never were any.
    var retained: RetentionStore<RetainedMessage>?
    /// The number of registrations ever added.
    private(set) var insertions = 0
    /// Whether the list accepts no more registrations.
    private(set) var isFinished: Bool
    /// The number of registrations that can expire.
    private var expiring = 0
    private var sweepStart = 0

    init(_ buffer: SubscriberBuffer, isFinished: Bool = false) {
        self.buffer = buffer
        self.isFinished = isFinished
    }

    /// Adds a registration and returns the replaced buffer, if any.
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

    /// Removes a registration and returns the replaced buffer, if any.
    mutating func remove(at index: Int) -> SubscriberBuffer? {
        if buffer[index].flags.canExpire { expiring -= 1 }
        buffer.markRemoved(index)
        let extent = buffer.extent
        guard extent.dead > extent.alive + 64 else { return nil }
        return replaceBuffer(capacity: max(4, extent.alive + extent.alive / 2), adding: nil)
    }

    /// Removes every registration for good and returns them, or nil if the list is already
    /// finished.
    mutating func finish() -> SubscriberSnapshot? {
        guard !isFinished else { return nil }
        isFinished = true
        defer {
            buffer = SubscriberBuffer(capacity: 0)
            expiring = 0
        }
        return SubscriberSnapshot(self)
    }

    /// Returns the index of a registration, or nil for a removed registration.
    func index(of registration: Registration) -> Int? {
        let index = position(of: registration.rank)
        guard index < buffer.extent.count, buffer[index] === registration else { return nil }
        return buffer.isRemoved(index) ? nil : index
    }

    /// Returns the registrations to sweep, or nil if no registration can expire.
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

    /// Returns the index of the first registration that is not called before `rank`.
    private func position(of rank: Rank) -> Int {
        let count = buffer.extent.count
        guard count > 0, rank <= buffer[count - 1].rank else { return count }
        // The newest registrations usually leave first.
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

/// The numbers of filled and of removed slots of a buffer, and whether a slot can expire.
///
/// The values share one word, so that a reader gets three values of the same moment.
struct SubscriberExtent: Sendable {
    /// The maximum number of slots of a buffer.
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

    /// Returns the extent with one more slot.
    func appending(canExpire: Bool) -> SubscriberExtent {
        SubscriberExtent(count: count + 1, dead: dead, hasExpiring: hasExpiring || canExpire)
    }

    /// Returns the extent with one more removed slot.
    func removing() -> SubscriberExtent {
        SubscriberExtent(count: count, dead: dead + 1, hasExpiring: hasExpiring)
    }

    var count: Int { Int(bits & 0x3F_FFFF) }
    /// The number of removed slots.
    var dead: Int { Int(bits >> 22 & 0x3F_FFFF) }
    /// Whether any registration, removed or not, can expire.
    var hasExpiring: Bool { bits & Self.expiringMark != 0 }
    var alive: Int { count - dead }
}

/// The registrations of a channel at one moment.
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

    /// Calls `body` in order with each registration that was not removed after the snapshot.
    ///
    /// If `body` calls handlers, the thread must be reading the channel.
    func visit(_ body: (Registration) -> Void) {
        buffer.visit(upTo: extent.count, body)
    }

    /// Returns the number of active registrations with living owners and subjects.
    func countLiving(where isWanted: (Registration) -> Bool = { _ in true }) -> Int {
        buffer.countLiving(upTo: extent.count, where: isWanted)
    }
}

extension SubscriberBuffer {
    /// Returns how many of the first `count` slots are active, with living owners and subjects.
    @inline(never)
    func countLiving(
        upTo count: Int,
        where isWanted: (Registration) -> Bool = { _ in true }
    ) -> Int {
        var living = 0
        visit(upTo: count) { if $0.isActive, !$0.isExpired, isWanted($0) { living += 1 } }
        return living
    }
}

extension Registration {
    /// Returns whether a message about `subject` is for this registration, expired or not.
    ///
    /// The caller keeps the subject alive.
    @inline(__always)
    func isFor(_ subject: (any AnyObject & Sendable)?) -> Bool {
        !flags.contains(.subject) || context.subject?.matches(subject) ?? false
    }

    /// Returns whether a message about `subject` addresses this registration.
    ///
    /// An addressed registration is active, matches the subject and has no expired owner.
    @inline(__always)
    func isAddressed(about subject: (any AnyObject & Sendable)?) -> Bool {
        // If the message is for this registration, the subject is alive.
        isActive && isFor(subject) && !(flags.contains(.owned) && isExpired)
    }
}

/// The order in which observations are called.
///
/// A higher priority comes first, then the older observation.
struct Rank: Comparable, Sendable {
    let priority: Int16
    let id: UInt64

    static func < (left: Rank, right: Rank) -> Bool {
        left.priority == right.priority ? left.id < right.id : left.priority > right.priority
    }
}
