// SPDX-License-Identifier: Apache-2.0

/// The bytes of a delegate, without the reference that the bytes represent.
///
/// A list holds delegates weakly, and only an object can be held weakly, not an `any P`. The
/// dynamic cast from the object to `any P` costs more than the call. The bytes of the added value
/// keep their meaning as long as the object lives.
///
/// Unchecked: `init` writes the bytes once, and they represent a delegate that is Sendable.
@safe struct DelegateImage: ~Copyable, @unchecked Sendable {
    private let bytes: UnsafeMutableRawPointer

    /// Copies the bytes of a delegate, or returns nil if the value does not start with the object.
    ///
    /// - Parameters:
    ///   - delegate: A value whose dynamic type is a class.
    ///   - object: The instance of this class.
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

    /// Calls `body` with the delegate.
    ///
    /// The caller must hold the object during the call. `Delegate` is the type of the added value.
    /// Here the type may be `~Copyable`, which forbids a copy that would count a reference.
    @inline(__always)
    func read<Delegate: ~Copyable>(_ body: (borrowing Delegate) -> Void) {
        // Invariant, checked by `init`: a value that is an instance of a class and starts with this
        // instance is a class reference or an existential. The value owns only this one reference.
        // The remaining bytes refer to tables of the value's type, which are never freed. So the
        // bytes are the value as long as the object lives.
        unsafe body(bytes.assumingMemoryBound(to: Delegate.self).pointee)
    }
}
