// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Registrations in the order of their calls, read while observations are added and removed.
///
/// Slots are only ever appended, and a removed slot is marked. Another order or fewer marked slots
/// need another buffer.
///
/// Unchecked: the thread that appends holds the lock of the subscriber list, and publishes a slot,
/// which is an atomic, only after the slot was initialised. The slot stays until the last reader
/// has released the buffer.
@safe final class SubscriberBuffer: @unchecked Sendable {
    let capacity: Int
    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    private let header = Atomic<UInt64>(0)
    private static var deadMark: UInt { 1 }

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

    /// The numbers of filled and of removed slots, as one consistent value.
    var extent: SubscriberExtent {
        get { SubscriberExtent(bits: header.load(ordering: .acquiring)) }
        set { header.store(newValue.bits, ordering: .releasing) }
    }

    /// Adds a registration after all existing ones.
    ///
    /// The caller holds the lock of the subscriber list.
    func append(_ registration: Registration) {
        let end = extent.count
        precondition(end < capacity, "A full subscriber buffer was appended to.")
        let reference = unsafe Unmanaged.passRetained(registration)
        let bits = unsafe UInt(bitPattern: reference.toOpaque())
        // Invariant: readers see this slot only after the extent that includes the slot.
        unsafe (slots + end).initialize(to: Atomic(bits))
        extent = extent.appending(canExpire: registration.flags.canExpire)
    }

    /// Marks a slot as removed.
    ///
    /// The caller holds the lock of the subscriber list.
    func markRemoved(_ index: Int) {
        _ = unsafe slots[index].bitwiseOr(Self.deadMark, ordering: .relaxed)
        extent = extent.removing()
    }

    func isRemoved(_ index: Int) -> Bool {
        unsafe slots[index].load(ordering: .relaxed) & Self.deadMark != 0
    }

    /// The registration at `index`, removed or not.
    subscript(index: Int) -> Registration {
        let bits = unsafe slots[index].load(ordering: .relaxed)
        return unsafe Self.reference(bits).takeUnretainedValue()
    }

    /// Calls `body` with each of the first `count` registrations that is not removed, in order.
    @inline(__always)
    func visit(upTo count: Int, _ body: (Registration) -> Void) {
        for index in 0..<count {
            let bits = unsafe slots[index].load(ordering: .relaxed)
            if bits & Self.deadMark != 0 { continue }
            // Invariant: this buffer owns a reference to each registration in the buffer, and the
            // caller keeps the buffer during the iteration, so the call counts no reference.
            unsafe Self.reference(bits)._withUnsafeGuaranteedRef { body($0) }
        }
    }

    /// Calls `body` with the registration at `index`, unless removed.
    @inline(__always)
    func visit(_ index: Int, _ body: (Registration) -> Void) {
        let bits = unsafe slots[index].load(ordering: .relaxed)
        if bits & Self.deadMark != 0 { return }
        // Invariant: the same as in the method for several registrations.
        unsafe Self.reference(bits)._withUnsafeGuaranteedRef { body($0) }
    }

    /// Returns the rank of the registration at `index`, removed or not.
    @inline(__always)
    func rank(_ index: Int) -> Rank {
        let bits = unsafe slots[index].load(ordering: .relaxed)
        return unsafe Self.reference(bits)._withUnsafeGuaranteedRef { $0.rank }
    }

    @inline(__always)
    private static func reference(_ bits: UInt) -> Unmanaged<Registration> {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: bits & ~deadMark)
        else {
            preconditionFailure("A slot of a subscriber buffer holds a registration.")
        }
        return unsafe Unmanaged.fromOpaque(pointer)
    }
}

/// The current buffer of a channel, found without a lock.
@safe struct CurrentBuffer: ~Copyable, Sendable {
    private let reference: Atomic<Unmanaged<SubscriberBuffer>>

    init(_ buffer: SubscriberBuffer) {
        unsafe reference = Atomic(.passUnretained(buffer))
    }

    /// Publishes another buffer.
    ///
    /// The caller keeps the old buffer until all readers of the old buffer have left.
    func replace(with buffer: SubscriberBuffer) {
        unsafe reference.store(.passUnretained(buffer), ordering: .sequentiallyConsistent)
    }

    /// Calls `body` with the buffer.
    ///
    /// The thread must be reading the channel.
    @inline(__always)
    func read<Result>(_ body: (SubscriberBuffer) -> Result) -> Result {
        // Invariant: the buffer was current after this thread's reading started, so the owner keeps
        // the buffer until the reading ends.
        unsafe reference.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef(body)
    }

    /// Returns whether `buffer` is the current buffer.
    func isCurrent(_ buffer: SubscriberBuffer) -> Bool {
        let current = unsafe reference.load(ordering: .sequentiallyConsistent)
        return unsafe current.toOpaque() == Unmanaged.passUnretained(buffer).toOpaque()
    }
}
