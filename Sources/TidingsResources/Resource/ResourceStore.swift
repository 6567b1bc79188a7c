// SPDX-License-Identifier: Apache-2.0

/// Storage for a copy of a resource's data, used when the data cannot be loaded.
///
/// A resource calls one function at a time, in the order of the events. The store's errors are
/// passed only to the resource's `storeFailed` closure. A failure of the store loses only the
/// fallback, and no data.
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
    /// Returns the stored copy, or nil without a copy.
    func read() async throws -> StoredCopy<Value>?
    /// Stores a copy and replaces the old copy.
    func write(_ copy: StoredCopy<Value>) async throws
    /// Removes the stored copy.
    func remove() async throws
}
