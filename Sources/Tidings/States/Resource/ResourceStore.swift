// SPDX-License-Identifier: Apache-2.0

/// Where a resource keeps a copy of its data, to fall back to when it cannot be loaded.
///
/// A resource calls one function at a time, in the order in which things happened. What a store
/// throws is told to the resource's `storeFailed` and to nobody else: a store that fails costs the
/// fallback and no data.
///
/// ```swift
/// actor MemoryStore: ResourceStore {
///     private var copy: StoredCopy<[Lesson]>?
///     func read() -> StoredCopy<[Lesson]>? { copy }
///     func write(_ copy: StoredCopy<[Lesson]>) { self.copy = copy }
///     func remove() { copy = nil }
/// }
/// ```
public protocol ResourceStore<Value>: Sendable {
    /// The data.
    associatedtype Value: Sendable
    /// Returns the stored copy; nil if there is none.
    func read() async throws -> StoredCopy<Value>?
    /// Stores a copy in place of another.
    func write(_ copy: StoredCopy<Value>) async throws
    /// Forgets what is stored.
    func remove() async throws
}
