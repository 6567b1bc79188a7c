// SPDX-License-Identifier: Apache-2.0

/// Returns the instance of a class that a `Sendable` value is.
func sendableObject(_ value: some Sendable) -> any AnyObject & Sendable {
    // Invariant: the value is `Sendable` by the signature, and a marker protocol adds nothing to
    // the layout of an object reference.
    unsafe unsafeBitCast(value as AnyObject, to: (any AnyObject & Sendable).self)
}
