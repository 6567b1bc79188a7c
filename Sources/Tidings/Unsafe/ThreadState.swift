// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

/// The state of one thread, which no other thread may access.
struct ThreadState: ~Copyable {
    let record = Readers.makeRecord()
    var level = 0
    /// The number of observations that this thread has removed from a channel.
    var removals = 0
    var turns = Turns()
    var channels = ChannelCache()
    var names = NameCache()
    /// The hooks of centers that this thread is running.
    var hooks: ContiguousArray<HookMark> = []
    /// The watched deliveries that this thread is making.
    var traces: ContiguousArray<TraceContext> = []
    /// Whether a ``TrackingMark`` was hashed.
    var isMarkHashed = false
}

/// The calling thread, in the form that deliveries use.
@safe struct DeliveryThread {
    private let storage: UnsafeMutablePointer<ThreadState>

    /// One more than the key of the storage, or 0 until there is a key.
    ///
    /// Each access to a lazy constant would cost a call.
    private static let knownKey = Atomic<pthread_key_t>(0)

    private static let madeKey = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key) { pointer in
            // Invariant: the only value ever set is the storage made in `makeCurrent`, and the
            // system passes the storage here once, when the thread ends.
            let storage: UnsafeMutableRawPointer? = unsafe pointer
            guard let state = unsafe storage?.assumingMemoryBound(to: ThreadState.self) else {
                return
            }
            unsafe Readers.recycle(state.pointee.record)
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }
        precondition(result == 0, "The system has no thread-local key left for Tidings.")
        return key
    }()

    /// The calling thread.
    @inline(__always)
    static var current: DeliveryThread {
        let known = knownKey.load(ordering: .relaxed)
        guard known != 0, let pointer = unsafe pthread_getspecific(known &- 1) else {
            return makeCurrent()
        }
        // Invariant: the pointer was set below, to initialised storage that lives until the thread
        // ends.
        return unsafe DeliveryThread(storage: pointer.assumingMemoryBound(to: ThreadState.self))
    }

    @inline(never)
    private static func makeCurrent() -> DeliveryThread {
        let key = madeKey
        knownKey.store(key + 1, ordering: .relaxed)
        let storage = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
        unsafe storage.initialize(to: ThreadState())
        unsafe pthread_setspecific(key, storage)
        return unsafe DeliveryThread(storage: storage)
    }

    /// A number that distinguishes this thread from all other living threads.
    var identity: UInt { unsafe UInt(bitPattern: storage) }

    /// Calls `body` with the state of this thread.
    ///
    /// `body` must not call foreign code, so accesses never overlap.
    @inline(__always)
    func state<Result>(_ body: (inout ThreadState) -> Result) -> Result {
        // Invariant: a `DeliveryThread` never leaves the thread whose storage it holds, because the
        // type is neither Sendable nor stored.
        unsafe body(&storage.pointee)
    }
}

@available(*, unavailable)
extension DeliveryThread: Sendable {}
