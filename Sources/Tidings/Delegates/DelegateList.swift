// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One object on a list of delegates.
final class DelegateMember<Delegate: Sendable>: Sendable {
    /// The address alone proves nothing: the object may be dead and another one stand there.
    let address: ObjectIdentifier
    private weak let object: (any AnyObject & Sendable)?
    private let hasEnded = Atomic(false)

    init(_ object: any AnyObject & Sendable) {
        self.object = object
        address = ObjectIdentifier(object)
    }

    /// Whether the object has died.
    var isOrphan: Bool { object == nil }

    var isActive: Bool { !hasEnded.load(ordering: .acquiring) }

    func end() {
        hasEnded.store(true, ordering: .releasing)
    }

    /// Whether this is the member of `object`, which the caller keeps alive.
    ///
    /// Safe under a lock: at this address stands that object or nothing of ours.
    func isMember(of object: AnyObject) -> Bool {
        address == ObjectIdentifier(object) && self.object === object
    }

    /// Calls `body` with the delegate unless it was removed; false if it has died.
    func call(_ body: (Delegate) -> Void) -> Bool {
        guard let object, let delegate = object as? Delegate else { return false }
        if isActive { body(delegate) }
        return true
    }
}

/// The delegates of one list, in the order in which they were added.
struct DelegateList<Delegate: Sendable>: Sendable {
    private(set) var members: ContiguousArray<DelegateMember<Delegate>> = []

    func contains(_ object: any AnyObject & Sendable) -> Bool {
        members.contains { $0.isMember(of: object) }
    }

    mutating func insert(_ object: any AnyObject & Sendable) {
        if !contains(object) { members.append(DelegateMember(object)) }
    }

    mutating func remove(_ object: any AnyObject & Sendable) {
        guard let index = members.firstIndex(where: { $0.isMember(of: object) }) else { return }
        members.remove(at: index).end()
    }

    mutating func removeEnded() {
        members.removeAll { !$0.isActive }
    }
}
