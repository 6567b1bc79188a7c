// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One object in a list of delegates.
final class DelegateMember<Delegate: Sendable>: Sendable {
    /// The address alone does not identify the object: after its deallocation, another object may
    /// have the same address.
    let address: ObjectIdentifier
    private weak let object: (any AnyObject & Sendable)?
    private let image: DelegateImage?
    private let hasEnded = Atomic(false)

    /// - Parameters:
    ///   - delegate: The delegate as it was added.
    ///   - object: The delegate as an instance of a class.
    init(_ delegate: Delegate, _ object: any AnyObject & Sendable) {
        self.object = object
        image = DelegateImage(of: delegate, object: object)
        address = ObjectIdentifier(object)
    }

    /// Whether the object is deallocated.
    var isExpired: Bool { object == nil }

    var isActive: Bool { !hasEnded.load(ordering: .acquiring) }

    func end() {
        hasEnded.store(true, ordering: .releasing)
    }

    /// Returns whether this is the member of `object`.
    ///
    /// Calling this is safe under a lock. The caller keeps `object` alive and the weak load returns
    /// either `object` or nil, so this method never holds the last reference.
    func isMember(of object: AnyObject) -> Bool {
        address == ObjectIdentifier(object) && self.object === object
    }

    /// Calls `body` with the delegate unless the delegate was removed.
    ///
    /// Returns false for a deallocated delegate.
    func call(_ body: (Delegate) -> Void) -> Bool {
        guard let object else { return false }
        switch image {
        case .some(let image):
            // The image borrows the object, so this call keeps the object alive.
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

/// Returns a value as an instance of a class, or nil for any other value.
///
/// The dynamic type is checked first, because on Linux a cast of a struct to `AnyObject` succeeds:
/// the cast creates a box without any other reference.
func sendableObject<Value: Sendable>(of value: Value) -> (any AnyObject & Sendable)? {
    guard type(of: value as Any) is AnyObject.Type else { return nil }
    return cast(value, to: (any AnyObject & Sendable).self)
}

/// Casts between types that are known only at run time.
///
/// The compiler decides the result of `value as AnyObject`, and returns the box where `Value` is
/// `any Error`.
private func cast<Value, Wanted>(_ value: Value, to type: Wanted.Type) -> Wanted? {
    value as? Wanted
}
