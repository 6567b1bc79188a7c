// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A publisher of a state whose value type is not known statically.
///
/// The protocol lets one subscriber follow several publishers and handle all errors in the same
/// way. Only `StatePublisher` conforms to the protocol.
///
/// ```swift
/// func publication(from publisher: any AnyStatePublisher) {
///     if let error = publisher.error { show(error) }
///     if let products = publisher as? StatePublisher<[Product]> { show(products.state) }
/// }
/// ```
public protocol AnyStatePublisher: AnyObject, Sendable {
    /// The case of the current state.
    var phase: LoadPhase { get }
    /// The error of the current state, or nil if the state is not `error`.
    var error: (any Error)? { get }
    /// Notifies a subscriber of the current state and of every change from now on.
    func subscribe(_ subscriber: any StateSubscriber)
    /// Stops notifying a subscriber.
    func unsubscribe(_ subscriber: any StateSubscriber)
}

/// An object that follows one or more publishers.
///
/// A class on the main actor observes each publisher instead, with
/// `publisher.observe(owner: self, on: .main)`.
///
/// ```swift
/// final class ShopModel: StateSubscriber {
///     func publication(from publisher: any AnyStatePublisher) { … }
/// }
/// ```
public protocol StateSubscriber: AnyObject, Sendable {
    /// Called when the publisher's state may have changed.
    ///
    /// Read the state from the publisher.
    ///
    /// The method is called on the thread that subscribes or delivers. This is usually the thread
    /// that changes the state, or another thread that was still delivering an earlier change. The
    /// publisher returns the newest state. A subscriber may see the same state twice, and may miss
    /// a state that was replaced immediately, but never misses the last state.
    func publication(from publisher: any AnyStatePublisher)
}
