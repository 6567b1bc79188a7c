// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What is known of an observation apart from its handler.
final class ObservationRecord: Sendable {
    /// Its place among others: unique in the process and never reused.
    let rank: Rank
    /// The identity of the type it observes.
    let input: ObjectIdentifier
    /// Whether it is bound to an owner, alive or not.
    let isOwned: Bool
    /// Whether its handler runs on the main actor.
    let isMain: Bool
    private let hasEnded = Atomic(false)

    /// The owner while it lives.
    ///
    /// Asking may be what releases it: never under a lock.
    weak let owner: (any AnyObject & Sendable)?

    init(
        priority: ObservationPriority,
        input: ObjectIdentifier,
        owner: (any AnyObject & Sendable)?,
        isMain: Bool
    ) {
        rank = Rank(priority)
        self.input = input
        self.owner = owner
        isOwned = owner != nil
        self.isMain = isMain
    }

    /// Whether its owner died, so that it can never be called again.
    var isOrphan: Bool { isOwned && owner == nil }

    var isActive: Bool { !hasEnded.load(ordering: .acquiring) }

    /// Forbids every later call and says whether it was this caller who did.
    func end() -> Bool {
        !hasEnded.exchange(true, ordering: .acquiringAndReleasing)
    }
}

/// Where registrations live; a token tells it when one has ended.
protocol RegistrationHome: AnyObject, Sendable {
    func remove(_ record: ObservationRecord)
}

/// The order in which observations are called: higher priority first, then the older one.
struct Rank: Comparable, Sendable {
    private let priority: Int
    private let id: UInt64

    private static let lastID = Atomic<UInt64>(0)

    init(_ priority: ObservationPriority) {
        self.priority = priority.value
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
    }

    static func < (left: Rank, right: Rank) -> Bool {
        left.priority == right.priority ? left.id < right.id : left.priority > right.priority
    }
}
