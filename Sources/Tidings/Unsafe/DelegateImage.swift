// SPDX-License-Identifier: Apache-2.0

/// The bytes of a delegate, without the reference that they stand for.
///
/// A list holds its delegates weakly, and what can be held weakly is an object, not an `any P`.
/// Getting from one to the other is a dynamic cast that costs more than the call; the bytes of
/// the value that was added say the same, as long as its object lives.
///
/// Unchecked: the bytes are written once, by `init`, and stand for a delegate that is Sendable.
@safe struct DelegateImage: ~Copyable, @unchecked Sendable {
    private let bytes: UnsafeMutableRawPointer

    /// Takes the image of a delegate; nil if the value does not begin with its object.
    ///
    /// - Parameters:
    ///   - delegate: A value whose dynamic type is a class.
    ///   - object: The instance of that class.
    init?<Delegate: Sendable>(of delegate: Delegate, object: AnyObject) {
        let size = MemoryLayout<Delegate>.size
        let address = UInt(bitPattern: ObjectIdentifier(object))
        let bytes: UnsafeMutableRawPointer? = unsafe withUnsafePointer(to: delegate) {
            let value = unsafe UnsafeRawPointer($0)
            guard size >= MemoryLayout<UInt>.size else { return nil }
            guard unsafe value.loadUnaligned(as: UInt.self) == address else { return nil }
            let copy = UnsafeMutableRawPointer.allocate(
                byteCount: size,
                alignment: MemoryLayout<Delegate>.alignment
            )
            unsafe copy.copyMemory(from: value, byteCount: size)
            return unsafe copy
        }
        guard let bytes = unsafe bytes else { return nil }
        unsafe self.bytes = unsafe bytes
    }

    deinit { unsafe bytes.deallocate() }

    /// Calls `body` with the delegate; only while the caller holds its object.
    ///
    /// `Delegate` is the type of the value that was added; that it may be `~Copyable` here
    /// forbids a copy, which would count a reference.
    @inline(__always)
    func read<Delegate: ~Copyable>(_ body: (borrowing Delegate) -> Void) {
        // Invariant, checked by `init`: a value that is an instance of a class and begins with
        // that instance is a class reference or an existential. All it owns is that one
        // reference; what follows are tables of its type, which nobody frees. So the bytes are
        // the value as long as the object lives.
        unsafe body(bytes.assumingMemoryBound(to: Delegate.self).pointee)
    }
}
