// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Registrations in the order in which they are called, read while observations come and go.
///
/// Slots are only ever appended, and a removed one is marked; whoever needs another order or less
/// waste makes another buffer.
///
/// Unchecked: who appends has the lock of the roster, and shows a slot, which is an atomic, only
/// when it is made. It is there until the last reader has let go of the buffer.
@safe final class RosterBuffer: @unchecked Sendable {
    let capacity: Int
    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    private let header = Atomic<UInt64>(0)
    private static var deadMark: UInt { 1 }
    private static var orphanMark: UInt { 2 }

    init(capacity: Int) {
        self.capacity = capacity
        unsafe slots = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<extent.count {
            let bits = unsafe slots[index].load(ordering: .relaxed)
            unsafe Self.reference(bits).release()
        }
        unsafe slots.deinitialize(count: extent.count)
        unsafe slots.deallocate()
    }

    /// How far it is filled, and how much of that is removed: one consistent pair.
    var extent: RosterExtent {
        get { RosterExtent(bits: header.load(ordering: .acquiring)) }
        set { header.store(newValue.bits, ordering: .releasing) }
    }

    /// Adds a registration behind the others; only under the lock of the roster.
    func append(_ registration: Registration) {
        let end = extent.count
        precondition(end < capacity, "A full roster buffer was appended to.")
        let reference = unsafe Unmanaged.passRetained(registration)
        let bits = unsafe UInt(bitPattern: reference.toOpaque())
        // Invariant: readers see this slot only after the extent that includes it.
        unsafe (slots + end).initialize(to: Atomic(bits))
        let old = extent
        extent = RosterExtent(count: end + 1, dead: old.dead, orphans: old.orphans)
    }

    /// Marks a slot as removed; only under the lock of the roster.
    func bury(_ index: Int, isOrphan: Bool) {
        let mark = isOrphan ? Self.deadMark | Self.orphanMark : Self.deadMark
        _ = unsafe slots[index].bitwiseOr(mark, ordering: .relaxed)
        let (old, orphan) = (extent, isOrphan ? 1 : 0)
        extent = RosterExtent(count: old.count, dead: old.dead + 1, orphans: old.orphans + orphan)
    }

    func isBuried(_ index: Int) -> Bool {
        unsafe slots[index].load(ordering: .relaxed) & Self.deadMark != 0
    }

    /// The registration at `index`, removed or not.
    subscript(index: Int) -> Registration {
        let bits = unsafe slots[index].load(ordering: .relaxed)
        return unsafe Self.reference(bits).takeUnretainedValue()
    }

    /// Calls `body` with each registration of the first `count` that is not removed, in order.
    ///
    /// - Returns: How many were passed by that had lost their owner or subject when removed.
    @discardableResult
    @inline(__always)
    func visit(upTo count: Int, _ body: (Registration) -> Void) -> Int {
        var orphans = 0
        for index in 0..<count {
            let bits = unsafe slots[index].load(ordering: .relaxed)
            if bits & Self.deadMark != 0 {
                if bits & Self.orphanMark != 0 { orphans += 1 }
                continue
            }
            // Invariant: this buffer owns a reference to each registration in it, and who iterates
            // keeps the buffer, so none is counted for the call.
            unsafe Self.reference(bits)._withUnsafeGuaranteedRef { body($0) }
        }
        return orphans
    }

    @inline(__always)
    private static func reference(_ bits: UInt) -> Unmanaged<Registration> {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: bits & ~(deadMark | orphanMark))
        else {
            preconditionFailure("A roster slot holds a registration.")
        }
        return unsafe Unmanaged.fromOpaque(pointer)
    }
}
