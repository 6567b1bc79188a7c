// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// An object that drives a publisher: it loads the data, reloads stale data, and drops it.
///
/// It is the synchronous interface for screens: its functions return at once, and the publisher
/// delivers the outcome of a load. A class that loads with one asynchronous function drives the
/// publisher of a ``Resource``; any other class calls the publisher's own functions.
///
/// ```swift
/// @MainActor final class ProductsSource: StateSource {
///     private let products = Resource { try await shop.products() }
///     var publisher: StatePublisher<[Product]> { products.publisher }
///
///     func getData() {
///         guard publisher.phase != .loading else { return }
///         products.invalidate()
///         products.refreshIfNeeded()
///     }
///
///     func refreshIfNeeded() { products.refreshIfNeeded() }
///     func logout() { products.reset() }
/// }
/// ```
@MainActor
public protocol StateSource<Value>: AnyObject {
    /// The data.
    associatedtype Value: Sendable
    /// The publisher of the data's state.
    var publisher: StatePublisher<Value> { get }
    /// Begins to load the data, unless a load runs.
    func getData()
    /// Begins to load the data if it is stale and no load runs.
    func refreshIfNeeded()
    /// Drops all data of the person who was logged in.
    func logout()
}
