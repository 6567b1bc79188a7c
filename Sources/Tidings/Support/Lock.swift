// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A value that only one thread at a time can reach.
///
/// The only lock of this package. Nothing foreign runs inside `withLock`: no handler, no
/// continuation, no release of a user's object.
///
/// Built with `-DTHREAD_SANITIZER` it also orders its critical sections through an atomic, because
/// the thread sanitizer on Linux cannot see `Mutex` and would report correct programs.
package struct Lock<State: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<State>
    #if THREAD_SANITIZER
    private let order = Atomic<Int>(0)
    #endif

    package init(_ initialState: consuming sending State) {
        mutex = Mutex(initialState)
    }

    /// Runs `body` with exclusive access to the state and returns its result.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
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

    /// Runs `body` with exclusive access to the state, unless somebody has it at this moment.
    ///
    /// - Returns: What `body` returns; nil when it did not run.
    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
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
