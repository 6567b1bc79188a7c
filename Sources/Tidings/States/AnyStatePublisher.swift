// SPDX-License-Identifier: Apache-2.0

/// A publisher of a state whose type of value is not known here.
///
/// It lets one subscriber follow several publishers and treat their errors alike. Only
/// ``StatePublisher`` conforms to it.
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
    /// The failure, if the current state is one.
    var error: (any Error)? { get }
    /// Whether the data should be loaded again.
    var isStale: Bool { get }
    /// Whether a load runs that takes longer than its resource's limit.
    var isSlow: Bool { get }
    /// Begins to tell a subscriber of the current state and every change.
    func subscribe(_ subscriber: any StateSubscriber)
    /// Stops telling a subscriber.
    func unsubscribe(_ subscriber: any StateSubscriber)
    /// Begins to tell a subscriber of the main actor.
    func subscribe(_ subscriber: any MainStateSubscriber, on isolation: MainIsolation)
    /// Stops telling a subscriber of the main actor.
    func unsubscribe(_ subscriber: any MainStateSubscriber)
}

/// An object that follows one or more publishers.
///
/// A class on the main actor makes the function `nonisolated` and goes there inside it, or observes
/// `on: .main` instead.
///
/// ```swift
/// final class ShopModel: StateSubscriber {
///     func publication(from publisher: any AnyStatePublisher) { … }
/// }
/// ```
public protocol StateSubscriber: AnyObject, Sendable {
    /// Tells that the publisher's state may have changed; read it from the publisher.
    ///
    /// Runs on the thread that subscribes or delivers: mostly the one that changes the state, or
    /// another one that was still telling of an earlier change. The state is the newest one, so it
    /// may be seen twice and one that was replaced at once may be missed, never the last.
    func publication(from publisher: any AnyStatePublisher)
}

/// An object of the main actor, such as a screen, that follows one or more publishers.
///
/// ```swift
/// @MainActor final class ShopScreen: MainStateSubscriber {
///     func appear() { products.subscribe(self, on: .main) }
///     func publication(from publisher: any AnyStatePublisher) { … }
/// }
/// ```
@MainActor
public protocol MainStateSubscriber: AnyObject, Sendable {
    /// Tells, on the main actor, that the publisher's state may have changed; read it there.
    ///
    /// The state is the newest one, so it may be seen twice and one that was replaced meanwhile may
    /// be missed, never the last.
    func publication(from publisher: any AnyStatePublisher)
}
