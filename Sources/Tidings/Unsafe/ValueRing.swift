// SPDX-License-Identifier: Apache-2.0

/// A first-in first-out queue of values of one type, without the static type.
///
/// Code that receives a type only at run time pays for every generic container that the code names.
/// This queue names no type, so a post to many sequences stays as fast as a plain copy.
///
/// A ring belongs to one owner, which keeps a shared ring under a lock. Unchecked: a ring cannot be
/// copied, so no other value refers to the ring's memory, and a layout is of a Sendable type.
@safe struct ValueRing: ~Copyable, @unchecked Sendable {
    private let layout: ValueLayout
    // Invariant: the `count` slots from `head` on, around the end, are initialised.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private var head = 0
    private(set) var count = 0

    init(_ layout: ValueLayout) {
        self.layout = layout
        unsafe memory = nil
    }

    deinit {
        // There are two runs at most: up to the end of the memory, and from the start.
        let first = min(count, capacity - head)
        guard let memory = unsafe memory else { return }
        unsafe layout.destroy(memory + head * layout.stride, first)
        unsafe layout.destroy(memory, count - first)
        unsafe memory.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    /// Adds a copy of a value of the ring's type at the end.
    mutating func append(_ value: Incoming) {
        unsafe layout.copy(value.pointer, emptySlot())
    }

    /// Moves the first value of another ring of the same type to the end of this ring.
    ///
    /// - Returns: False if the other ring is empty.
    mutating func appendFirst(of other: inout ValueRing) -> Bool {
        guard other.count > 0, let source = unsafe other.memory else { return false }
        unsafe layout.move(source + other.head * layout.stride, to: emptySlot(), count: 1)
        other.forgetFirst()
        return true
    }

    /// Takes the first value out, or returns nil if the ring is empty.
    ///
    /// `Value` is the type of the ring's layout.
    mutating func popFirst<Value>(as type: Value.Type) -> Value? {
        guard count > 0, let memory = unsafe memory else { return nil }
        let slot = unsafe memory + head * layout.stride
        forgetFirst()
        return unsafe slot.assumingMemoryBound(to: Value.self).move()
    }

    /// Frees the memory of an empty ring that was once very full.
    mutating func shrink() {
        guard count == 0, capacity > Self.keptCapacity else { return }
        unsafe memory?.deallocate()
        unsafe memory = nil
        capacity = 0
    }

    private static var keptCapacity: Int { 1_024 }

    /// Returns the empty slot after the last value, which the caller must initialise.
    private mutating func emptySlot() -> UnsafeMutableRawPointer {
        if count == capacity { grow() }
        guard let memory = unsafe memory else {
            preconditionFailure("A ring that grew has memory.")
        }
        let index = (head + count) & (capacity - 1)
        count += 1
        return unsafe memory + index * layout.stride
    }

    private mutating func forgetFirst() {
        count -= 1
        head = count == 0 ? 0 : (head + 1) & (capacity - 1)
    }

    private mutating func grow() {
        let larger = max(4, capacity * 2)
        let target = unsafe layout.allocate(larger)
        if let memory = unsafe memory {
            let first = min(count, capacity - head)
            let stride = layout.stride
            unsafe layout.move(memory + head * stride, to: target, count: first)
            unsafe layout.move(memory, to: target + first * stride, count: count - first)
            unsafe memory.deallocate()
        }
        unsafe memory = target
        capacity = larger
        head = 0
    }
}

/// The memory layout of values of one type.
///
/// Unchecked because the class has a subclass. Both properties are constant.
class ValueLayout: @unchecked Sendable {
    let stride: Int
    let name: MessageName

    fileprivate init(stride: Int, name: MessageName) {
        self.stride = stride
        self.name = name
    }

    fileprivate func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        preconditionFailure("A layout knows its type.")
    }

    fileprivate func copy(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {}

    fileprivate func move(
        _ source: UnsafeMutableRawPointer,
        to target: UnsafeMutableRawPointer,
        count: Int
    ) {}

    fileprivate func destroy(_ values: UnsafeMutableRawPointer, _ count: Int) {}
}

/// The layout of a type.
///
/// Unchecked because the superclass is unchecked. This class adds no property.
final class LayoutOf<Value: Sendable>: ValueLayout, @unchecked Sendable {
    init() {
        super.init(stride: MemoryLayout<Value>.stride, name: .type(Value.self))
    }

    // Invariant of all four methods: a ring passes slots of its own memory, made by `allocate`, and
    // `Incoming` values of the type under which the buffer was registered.

    override fileprivate func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(UnsafeMutablePointer<Value>.allocate(capacity: count))
    }

    override fileprivate func copy(
        _ source: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer
    ) {
        let value = unsafe source.assumingMemoryBound(to: Value.self)
        unsafe target.assumingMemoryBound(to: Value.self).initialize(to: value.pointee)
    }

    override fileprivate func move(
        _ source: UnsafeMutableRawPointer,
        to target: UnsafeMutableRawPointer,
        count: Int
    ) {
        let values = unsafe source.assumingMemoryBound(to: Value.self)
        unsafe target.assumingMemoryBound(to: Value.self).moveInitialize(from: values, count: count)
    }

    override fileprivate func destroy(_ values: UnsafeMutableRawPointer, _ count: Int) {
        unsafe values.assumingMemoryBound(to: Value.self).deinitialize(count: count)
    }
}
