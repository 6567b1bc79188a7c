// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One object on a list of delegates.
final class DelegateMember<Delegate: Sendable>: Sendable {
    /// The address alone proves nothing: the object may be dead and another one stand there.
    let address: ObjectIdentifier
    private weak let object: (any AnyObject & Sendable)?
    private let image: DelegateImage?
    private let hasEnded = Atomic(false)

    /// - Parameters:
    ///   - delegate: The delegate as it was added.
    ///   - object: The instance of a class that it is.
    init(_ delegate: Delegate, _ object: any AnyObject & Sendable) {
        self.object = object
        image = DelegateImage(of: delegate, object: object)
        address = ObjectIdentifier(object)
    }

    /// Whether the object has died.
    var isExpired: Bool { object == nil }

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
        guard let object else { return false }
        switch image {
        case .some(let image):
            // Borrowed, so the object is held here for as long as the call takes.
            withExtendedLifetime(object) { if isActive { image.read(body) } }
        case nil:
            callByCast(object, body)
        }
        return true
    }

    @inline(never)
    private func callByCast(_ object: AnyObject, _ body: (Delegate) -> Void) {
        if let delegate = object as? Delegate, isActive { body(delegate) }
    }
}

/// The delegates of one list, in the order in which they were added.
struct DelegateList<Delegate: Sendable>: Sendable {
    private(set) var members: ContiguousArray<DelegateMember<Delegate>> = []

    func contains(_ object: any AnyObject & Sendable) -> Bool {
        members.contains { $0.isMember(of: object) }
    }

    mutating func insert(_ delegate: Delegate, _ object: any AnyObject & Sendable) {
        if !contains(object) { members.append(DelegateMember(delegate, object)) }
    }

    mutating func remove(_ object: any AnyObject & Sendable) {
        guard let index = members.firstIndex(where: { $0.isMember(of: object) }) else { return }
        members.remove(at: index).end()
    }

    mutating func removeEnded() {
        members.removeAll { !$0.isActive }
    }
}
