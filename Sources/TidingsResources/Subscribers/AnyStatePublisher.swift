// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A publisher of a state whose value type is not known statically.
///
/// It lets one subscriber follow several publishers and handle their errors in the same way. Only
/// `StatePublisher` conforms to it.
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
    /// The error of the current state; nil if the state is not `error`.
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
    /// Called when the publisher's state may have changed; read the state from the publisher.
    ///
    /// It is called on the thread that subscribes or delivers. This is usually the thread that
    /// changes the state, or another thread that was still delivering an earlier change. The
    /// publisher returns the newest state: a subscriber may see the same state twice and may miss a
    /// state that was replaced at once, but never the last one.
    func publication(from publisher: any AnyStatePublisher)
}
