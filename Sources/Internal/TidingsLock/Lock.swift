// SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// A lock around a value, which only one thread at a time can access.
///
/// All modules of this package use this lock. No foreign code runs inside `withLock`: no handler,
/// no continuation, no release of a user's object.
///
/// The lock is not recursive. The type is public and inlinable, although no product exports this
/// module, because the compiler specializes a generic type of another module only then. A `package`
/// type costs about 100 ns more for each use.
///
/// With `-DTHREAD_SANITIZER` the lock also orders the critical sections through an atomic, because
/// the thread sanitizer on Linux does not recognize `Mutex` and would report correct programs.
public struct Lock<State: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>
    #if THREAD_SANITIZER
    @usableFromInline let order = Atomic<Int>(0)
    #endif

    /// Creates a lock around a value.
    @inlinable
    public init(_ initialState: consuming sending State) {
        mutex = Mutex(initialState)
    }

    /// Runs `body` with exclusive access to the state and returns the result of `body`.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { (state: inout sending State) throws(Failure) -> sending Result in
            #if THREAD_SANITIZER
            _ = order.load(ordering: .acquiring)
            defer { order.store(0, ordering: .releasing) }
            #endif
            return try body(&state)
        }
    }

    /// Runs `body` with exclusive access to the state, unless the lock is already held.
    ///
    /// - Returns: The result of `body`, or nil if `body` did not run.
    @inlinable
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable {
            (state: inout sending State) throws(Failure) -> sending Result in
            #if THREAD_SANITIZER
            _ = order.load(ordering: .acquiring)
            defer { order.store(0, ordering: .releasing) }
            #endif
            return try body(&state)
        }
    }
}
