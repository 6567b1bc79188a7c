// SPDX-License-Identifier: Apache-2.0

/// A message that can also be posted and observed by a name.
///
/// It joins code that knows the type and code that only knows the name. A post by type reaches
/// those who observe the name, and a post by name reaches those who observe the type, all in one
/// order of priority and registration. Who observes by type receives a message, who observes by
/// name receives the name and the object.
///
/// An object from which no message can be made reaches those who observe by name only, and the
/// center's error hooks are told once. Types that share a name are forms of one message: a post of
/// one reaches those who observe the other, if its object can be made into that.
///
/// ```swift
/// struct Connected: NamedMessage {
///     static let name = "InternetConnect"
///     let network: String
///
///     var object: (any Sendable)? { network }
///
///     init(network: String) { self.network = network }
///
///     init?(object: (any Sendable)?) {
///         guard let network = object as? String else { return nil }
///         self.network = network
///     }
/// }
///
/// let token = center.observe(Connected.self) { print("connected to \($0.network)") }
/// center.post(named: "InternetConnect", object: "home")
/// ```
public protocol NamedMessage: Message {
    /// The name under which it is posted and observed.
    ///
    /// A constant: a center asks once for each type.
    static var name: String { get }

    /// What those receive who observe the name.
    var object: (any Sendable)? { get }

    /// Creates the message from what was posted under its name; nil if that is something else.
    ///
    /// Called by a post under that name, on its thread and without a lock, if somebody observes
    /// the type: once for each post.
    init?(object: (any Sendable)?)
}
