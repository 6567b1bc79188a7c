// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Tidings

/// A message that is a Foundation notification on the other side of a forwarding.
///
/// The conformance says once how the two become each other; each forwarding is then one line. A
/// type that goes in one direction only needs no conformance: there is a form with a closure for
/// each direction.
///
/// ```swift
/// struct LoggedIn: NotificationMessage {
///     static let notificationName = Notification.Name("UserDidLogIn")
///     let name: String
///
///     init?(_ notification: Notification) {
///         guard let name = notification.userInfo?["name"] as? String else { return nil }
///         self.name = name
///     }
///
///     var notification: Notification {
///         Notification(name: Self.notificationName, userInfo: ["name": name])
///     }
/// }
/// ```
public protocol NotificationMessage: Message {
    /// The name under which it is posted on a notification center.
    static var notificationName: Notification.Name { get }

    /// Creates the message that a notification of this name is; nil if it is none.
    ///
    /// A notification that is none is not forwarded. It is called on the thread that posts.
    init?(_ notification: Notification)

    /// The notification that this message is.
    var notification: Notification { get }
}
