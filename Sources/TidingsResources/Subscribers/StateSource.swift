// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// An object that drives a publisher by loading, reloading and dropping the data.
///
/// The protocol is the synchronous interface for screens. All functions return immediately, and the
/// publisher delivers the outcome of a load. A class that loads with one asynchronous function
/// drives the publisher of a ``Resource``. Any other class calls the publisher's functions.
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
    /// Starts to load the data, unless a load is running.
    func getData()
    /// Starts to load the data if the data is stale and no load is running.
    func refreshIfNeeded()
    /// Drops all data of the user who was logged in.
    func logout()
}
