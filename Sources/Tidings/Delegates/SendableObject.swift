// SPDX-License-Identifier: Apache-2.0

/// Returns a value as an instance of a class, or nil if it is not one.
///
/// The dynamic type is checked first, because on Linux a cast of a struct to `AnyObject` succeeds:
/// it creates a box without any other reference.
func sendableObject<Value: Sendable>(of value: Value) -> (any AnyObject & Sendable)? {
    guard type(of: value as Any) is AnyObject.Type else { return nil }
    return cast(value, to: (any AnyObject & Sendable).self)
}

/// Casts between types that are known only at run time.
///
/// The compiler decides `value as AnyObject`, and returns the box where `Value` is `any Error`.
private func cast<Value, Wanted>(_ value: Value, to type: Wanted.Type) -> Wanted? {
    value as? Wanted
}
