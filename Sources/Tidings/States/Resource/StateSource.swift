// SPDX-License-Identifier: Apache-2.0

/// What drives a publisher: it loads the data, loads it again when that is due, and forgets it.
///
/// The synchronous side, for screens: nobody waits, and what becomes of a load is told by the
/// publisher. ``Resource`` is the source that most programs want.
///
/// ```swift
/// @MainActor final class ProductsScreen {
///     let source: any StateSource<[Product]>
///     init(source: any StateSource<[Product]>) { self.source = source }
///     func appear() { source.refreshIfNeeded() }
/// }
/// ```
@MainActor
public protocol StateSource<Value>: AnyObject {
    /// The data.
    associatedtype Value: Sendable
    /// Tells what is known of the data.
    var publisher: StatePublisher<Value> { get }
    /// Begins to load the data, unless a load runs.
    func getData()
    /// Begins to load the data if it is stale and no load runs.
    func refreshIfNeeded()
    /// Forgets everything that belonged to whoever was logged in.
    func logout()
}
