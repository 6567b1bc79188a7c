// SPDX-License-Identifier: Apache-2.0

/// A message that can also be posted and observed by a name.
///
/// A named message connects code that uses the type with code that only uses the name. A post by
/// type reaches the observers of the name, and a post by name reaches the observers of the type,
/// all in one order of priority and registration. Observers of the type receive a message.
/// Observers of the name receive the name and the object.
///
/// If no message can be made from an object, only the observers of the name receive the object, and
/// the center calls the error hooks once. Types that share a name are forms of one message: a post
/// of one type reaches the observers of another type, if that type can be made from the object.
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
    /// The name under which the message is posted and observed.
    ///
    /// The name must be constant, because a center reads it once for each type.
    static var name: String { get }

    /// The object that observers of the name receive.
    var object: (any Sendable)? { get }

    /// Creates the message from the object of a post by name, or fails if the object does not fit.
    ///
    /// A post under the type's name calls this initialiser once, on the posting thread and without
    /// a lock, if the type has observers.
    init?(object: (any Sendable)?)
}
