// SPDX-License-Identifier: Apache-2.0

/// Where a resource keeps a copy of its data, to fall back to when it cannot be loaded.
///
/// A resource calls one function at a time, in the order in which things happened. What a store
/// throws is told to the resource's `storeFailed` and to nobody else: a store that fails costs the
/// fallback and no data.
///
/// ```swift
/// actor MemoryStore: ResourceStore {
///     private var lessons: [Lesson]?
///     func read() -> [Lesson]? { lessons }
///     func write(_ lessons: [Lesson]) { self.lessons = lessons }
///     func remove() { lessons = nil }
/// }
/// ```
public protocol ResourceStore<Value>: Sendable {
    /// The data.
    associatedtype Value: Sendable
    /// Returns what is stored; nil if nothing is.
    func read() async throws -> Value?
    /// Stores a value in place of another.
    func write(_ value: Value) async throws
    /// Forgets what is stored.
    func remove() async throws
}
