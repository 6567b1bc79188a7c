// SPDX-License-Identifier: Apache-2.0

/// A value on the way to registrations of the same type, without the static type.
///
/// An `Incoming` is valid during the call that receives it, and is never stored.
@usableFromInline
@safe struct Incoming {
    @usableFromInline let pointer: UnsafeRawPointer

    @inlinable
    init(pointer: UnsafeRawPointer) {
        unsafe self.pointer = unsafe pointer
    }

    /// Calls `body` with `value` in the form that registrations receive.
    @inlinable
    @inline(__always)
    static func with<Input: ~Copyable, Result>(
        _ value: borrowing Input,
        _ body: (Incoming) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafePointer(to: value) {
            try unsafe body(Incoming(pointer: UnsafeRawPointer($0)))
        }
    }

    /// Calls `body` with the value, in place.
    ///
    /// `~Copyable` forbids a copy for each handler.
    @inline(__always)
    func read<Input: ~Copyable, Result>(
        _ body: (borrowing Input) throws -> Result
    ) rethrows -> Result {
        // Invariant: a home finds registrations by the identity of the sent type, and a
        // registration reads the type under whose identity the registration was filed. `with` keeps
        // the value in place for the whole call.
        try unsafe body(pointer.assumingMemoryBound(to: Input.self).pointee)
    }
}

@available(*, unavailable)
extension Incoming: Sendable {}
