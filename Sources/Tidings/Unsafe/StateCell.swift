// SPDX-License-Identifier: Apache-2.0

/// The state of a publisher, guarded by the lock of the home.
///
/// The cell is separate from the lock, so that the lock, and all code that runs under it, has one
/// type for all publishers. Unchecked, because the lock is elsewhere: only `access` reaches the
/// memory, and `access` takes the turns of the home, which are only available under the lock.
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

/// The memory in which a change leaves the new state for the recipients.
@usableFromInline
@safe struct DeliveredState<Value: Sendable> {
    @usableFromInline let pointer: UnsafeMutablePointer<LoadState<Value>>

    @inlinable
    init(_ pointer: UnsafeMutablePointer<LoadState<Value>>) {
        unsafe self.pointer = unsafe pointer
    }

    /// Calls `body` with `state` in two forms, one for the change and one for registrations.
    @inlinable
    @inline(__always)
    static func with<Result>(
        _ state: inout LoadState<Value>,
        _ body: (DeliveredState, Incoming) -> Result
    ) -> Result {
        // Invariant: both forms point to the state for the whole call, and recipients read the
        // state only after the change has set the state.
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
