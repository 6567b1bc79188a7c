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

/// The calling thread, as deliveries see it.
@safe struct DeliveryThread {
    private let storage: UnsafeMutablePointer<Turns>

    private static let key = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key) { pointer in
            // Invariant: the only value ever set is the storage made in `current`, and the system
            // hands it over once, when the thread ends.
            let storage: UnsafeMutableRawPointer? = unsafe pointer
            unsafe storage?.assumingMemoryBound(to: Turns.self).deinitialize(count: 1)
            unsafe storage?.deallocate()
        }
        precondition(result == 0, "The system has no thread-local key left for Tidings.")
        return key
    }()

    /// The calling thread.
    static var current: DeliveryThread {
        if let pointer = unsafe pthread_getspecific(key) {
            // Invariant: set below, to initialised storage that lives until the thread ends.
            let storage = unsafe pointer.assumingMemoryBound(to: Turns.self)
            return unsafe DeliveryThread(storage: storage)
        }
        let storage = UnsafeMutablePointer<Turns>.allocate(capacity: 1)
        unsafe storage.initialize(to: Turns())
        unsafe pthread_setspecific(key, storage)
        return unsafe DeliveryThread(storage: storage)
    }

    /// Calls `body` with the turns of this thread.
    ///
    /// `body` calls nothing foreign, so accesses never overlap.
    @inline(__always)
    func turns<Result>(_ body: (inout Turns) -> Result) -> Result {
        // Invariant: a `DeliveryThread` never leaves the thread whose storage it holds: it is
        // neither Sendable nor stored.
        unsafe body(&storage.pointee)
    }
}

@available(*, unavailable)
extension DeliveryThread: Sendable {}
