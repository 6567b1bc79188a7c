// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Everything that is unsafe in the core. Each use names the invariant that makes it sound.

/// A value on its way to registrations of its type, without its type.
///
/// It is valid during the call that it is handed to and never stored.
@safe struct Incoming {
    private let pointer: UnsafeRawPointer

    /// Calls `body` with `value` as registrations receive it.
    @inline(__always)
    static func with<Input: ~Copyable, Result>(
        _ value: borrowing Input,
        _ body: (Incoming) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: value) { unsafe body(Incoming(pointer: UnsafeRawPointer($0))) }
    }

    /// Calls `body` with the value, in place: `~Copyable` forbids a copy for each handler.
    @inline(__always)
    func read<Input: ~Copyable>(_ body: (borrowing Input) -> Void) {
        // Invariant: a home finds registrations by the identity of the type it sends, and a
        // registration reads the type whose identity it was filed under. `with` keeps the value
        // in place for the whole call.
        unsafe body(pointer.assumingMemoryBound(to: Input.self).pointee)
    }
}

/// Returns the owner of a registration as the type under which it was registered.
func ownerDowncast<Owner: AnyObject>(_ object: AnyObject?) -> Owner {
    guard let object else { preconditionFailure("A call of an owned handler without owner.") }
    // Invariant: a registration hands its call the object of its own initialiser, whose type
    // `Owner` was captured in the same statement.
    return unsafe unsafeDowncast(object, to: Owner.self)
}

/// Returns the instance of a class that a `Sendable` value is.
func sendableObject(_ value: some Sendable) -> any AnyObject & Sendable {
    // Invariant: the value is `Sendable` by the signature, and a marker protocol adds nothing to
    // the layout of an object reference.
    unsafe unsafeBitCast(value as AnyObject, to: (any AnyObject & Sendable).self)
}

extension ContiguousArray<Registration> {
    /// Delivers to each registration, in order, and returns those whose owner has died.
    func deliver(_ input: Incoming) -> [ObservationRecord] {
        var orphans: [ObservationRecord] = []
        unsafe withUnsafeBufferPointer { buffer in
            for index in buffer.indices {
                // Invariant: `self` keeps every registration alive, and nobody can change this
                // copy of the array, so no reference is counted for the call.
                let registration = unsafe Unmanaged.passUnretained(buffer[index])
                let isAlive = unsafe registration._withUnsafeGuaranteedRef { $0.deliver(input) }
                if !isAlive { unsafe orphans.append(buffer[index].record) }
            }
        }
        return orphans
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

    /// Calls `body` with the object of the calling thread, which is made at its first use.
    static func current<Result>(_ body: (DeliveryThread) -> Result) -> Result {
        if let pointer = unsafe pthread_getspecific(key) {
            // Invariant: set below, retained until the thread ends, used by this thread only.
            return unsafe Unmanaged<DeliveryThread>.fromOpaque(pointer)
                ._withUnsafeGuaranteedRef(body)
        }
        let thread = DeliveryThread()
        unsafe pthread_setspecific(key, Unmanaged.passRetained(thread).toOpaque())
        return body(thread)
    }
}
