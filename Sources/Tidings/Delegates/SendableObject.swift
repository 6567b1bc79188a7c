// SPDX-License-Identifier: Apache-2.0

/// Returns the instance of a class that a value is, or nil.
///
/// The dynamic type is asked first, because on Linux a cast of a struct to `AnyObject` succeeds:
/// it makes a box that nobody else holds.
func sendableObject<Value: Sendable>(of value: Value) -> (any AnyObject & Sendable)? {
    guard type(of: value as Any) is AnyObject.Type else { return nil }
    return cast(value, to: (any AnyObject & Sendable).self)
}

/// Casts between types that are known at run time only.
///
/// `value as AnyObject` is decided by the compiler, and gives the box where `Value` is `any Error`.
private func cast<Value, Wanted>(_ value: Value, to type: Wanted.Type) -> Wanted? {
    value as? Wanted
}
