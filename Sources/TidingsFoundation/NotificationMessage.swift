// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Tidings

/// A message that converts to and from a Foundation notification.
///
/// The conformance defines the conversion once, and each forwarding is then one line. A type that
/// is forwarded in one direction only needs no conformance, because each direction has a form with
/// a closure. A conformance in an extension leaves the memberwise initializer of the type.
///
/// ```swift
/// struct LoggedIn: Message {
///     let name: String
/// }
///
/// extension LoggedIn: NotificationMessage {
///     static let notificationName = Notification.Name("UserDidLogIn")
///
///     init?(_ notification: Notification) {
///         guard let name = notification.userInfo?["name"] as? String else { return nil }
///         self.init(name: name)
///     }
///
///     var notification: Notification {
///         Notification(name: Self.notificationName, userInfo: ["name": name])
///     }
/// }
/// ```
public protocol NotificationMessage: Message {
    /// The name of the notifications that this type converts to and from.
    static var notificationName: Notification.Name { get }

    /// Creates a message from a notification of this name, or nil if the conversion is not
    /// possible.
    ///
    /// A notification that does not convert is not forwarded. The initializer is called on the
    /// posting thread.
    init?(_ notification: Notification)

    /// The notification to post for this message, read on the posting thread.
    var notification: Notification { get }
}
