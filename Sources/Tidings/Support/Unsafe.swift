// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Everything that is unsafe in the core. Each use names the invariant that makes it sound.

/// Returns the owner of a registration as the type under which it was registered.
func ownerDowncast<Owner: AnyObject>(_ object: AnyObject) -> Owner {
    // Invariant: a registration hands its call the object of its own initialiser, whose type
    // `Owner` was captured in the same statement.
    unsafe unsafeDowncast(object, to: Owner.self)
}

/// Returns the instance of a class that a `Sendable` value is.
func sendableObject(_ value: some Sendable) -> any AnyObject & Sendable {
    // Invariant: the value is `Sendable` by the signature, and a marker protocol adds nothing to
    // the layout of an object reference.
    unsafe unsafeBitCast(value as AnyObject, to: (any AnyObject & Sendable).self)
}

extension Roster {
    /// Calls `body` with each registration, in order.
    ///
    /// `Input` is the type by which this roster was found.
    func forEach<Input: Sendable>(
        of input: Input.Type,
        _ body: (Registration<Input>) -> Void
    ) {
        for entry in entries {
            // Invariant: a roster is only reached by the identity of `Input`, and `insert` files
            // a registration under the identity of its own `Input`.
            body(unsafe unsafeDowncast(entry.registration, to: Registration<Input>.self))
        }
    }
}

extension DeliveryThread {
    private static let key = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key) { pointer in
            // Invariant: the only value ever set is the retained object of `current`, and the
            // system hands it over once, when the thread ends.
            #if canImport(Darwin)
            unsafe Unmanaged<DeliveryThread>.fromOpaque(pointer).release()
            #else
            if let pointer = unsafe pointer {
                unsafe Unmanaged<DeliveryThread>.fromOpaque(pointer).release()
            }
            #endif
        }
        precondition(result == 0, "The system has no thread-local key left for Tidings.")
        return key
    }()

    /// The object of the calling thread, made at its first use.
    static var current: DeliveryThread {
        if let pointer = unsafe pthread_getspecific(key) {
            // Invariant: set below, retained until the thread ends, used by this thread only.
            return unsafe Unmanaged<DeliveryThread>.fromOpaque(pointer).takeUnretainedValue()
        }
        let thread = DeliveryThread()
        unsafe pthread_setspecific(key, Unmanaged.passRetained(thread).toOpaque())
        return thread
    }
}
