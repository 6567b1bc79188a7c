// SPDX-License-Identifier: Apache-2.0

/// The state of a publisher, which the lock of its home guards.
///
/// Apart from that lock, so that the lock, and everything that happens under it, has one type for
/// all publishers. Unchecked, for the lock is elsewhere: the memory is only reached by `access`,
/// with the turns of its home in hand, which nobody has outside it.
@usableFromInline
@safe final class StateCell<Value: Sendable>: @unchecked Sendable {
    @usableFromInline
    @exclusivity(unchecked) var memory: StateMemory<Value>

    init(_ memory: StateMemory<Value>) {
        unsafe self.memory = memory
    }

    /// Calls `body` with the memory.
    @inlinable
    @inline(__always)
    func access<Result>(
        _ turns: inout StateTurns,
        _ body: (inout StateMemory<Value>) -> Result
    ) -> Result {
        unsafe body(&memory)
    }
}

/// Where a change leaves the state that it made, for those who are told of it.
@usableFromInline
@safe struct DeliveredState<Value: Sendable> {
    @usableFromInline let pointer: UnsafeMutablePointer<LoadState<Value>>

    @inlinable
    init(_ pointer: UnsafeMutablePointer<LoadState<Value>>) {
        unsafe self.pointer = unsafe pointer
    }

    /// Calls `body` with `state` as a change fills it in and as registrations receive it then.
    @inlinable
    @inline(__always)
    static func with<Result>(
        _ state: inout LoadState<Value>,
        _ body: (DeliveredState, Incoming) -> Result
    ) -> Result {
        // Invariant: both point to the state for the whole call, and who receives it does so after
        // it was set.
        unsafe withUnsafeMutablePointer(to: &state) {
            unsafe body(DeliveredState($0), Incoming(pointer: UnsafeRawPointer($0)))
        }
    }

    @inlinable
    func set(_ state: LoadState<Value>) {
        unsafe pointer.pointee = state
    }
}

@available(*, unavailable)
extension DeliveredState: Sendable {}
