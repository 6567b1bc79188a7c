// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Tidings

extension MessageCenter {
    /// Posts a notification for each message of a type, until the token is cancelled or dropped.
    ///
    /// It is an observation of this center like any other: the closure runs in its place among the
    /// handlers, on the thread that posts the message, and Foundation's observers run before the
    /// next handler.
    ///
    /// A message for which the closure returns nil is not forwarded; nobody is told. One that was
    /// forwarded from the same notification center, directly or through others, is never sent
    /// back: the closure is not even asked. What a handler posts on purpose is a new message.
    ///
    /// ```swift
    /// let token = center.forward(LoggedIn.self, to: .default) { message in
    ///     Notification(name: .userDidLogIn, userInfo: ["name": message.name])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - target: The notification center, kept until the forwarding ends.
    ///   - priority: Its place among the observations of this type.
    ///   - fileID: The forwarding file, for those who look for leaks.
    ///   - line: The forwarding line.
    ///   - convert: Makes the notification, or nil if this message is not for Foundation.
    /// - Returns: The token that ends the forwarding.
    public func forward<M: Message>(
        _ type: M.Type,
        to target: NotificationCenter,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ convert: @escaping @Sendable (M) -> Notification?
    ) -> ObservationToken {
        let outlet = NotificationOutlet(from: self, to: target)
        return observe(
            type,
            priority: priority,
            about: .matching { outlet.admits($0) },
            fileID: fileID,
            line: line
        ) { message in
            outlet.forward(to: target) { convert(message) }
        }
    }

    /// Posts a notification for each message of a type, for as long as `owner` lives.
    ///
    /// The same as the form with a token, with the lifetime of every owner-bound observation.
    ///
    /// ```swift
    /// center.forward(LoggedIn.self, to: .default, owner: self) { owner, message in
    ///     owner.notification(for: message)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - target: The notification center, kept until the forwarding ends.
    ///   - owner: The object whose life bounds the forwarding.
    ///   - priority: Its place among the observations of this type.
    ///   - fileID: The forwarding file, for those who look for leaks.
    ///   - line: The forwarding line.
    ///   - convert: Makes the notification, or nil if this message is not for Foundation. Capture
    ///     `self` nowhere: use the parameter.
    /// - Returns: A token that ends the forwarding earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func forward<M: Message, Owner: AnyObject & Sendable>(
        _ type: M.Type,
        to target: NotificationCenter,
        owner: Owner,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ convert: @escaping @Sendable (Owner, M) -> Notification?
    ) -> ObservationToken {
        let outlet = NotificationOutlet(from: self, to: target)
        return observe(
            type,
            owner: owner,
            priority: priority,
            about: .matching { outlet.admits($0) },
            fileID: fileID,
            line: line
        ) { owner, message in
            outlet.forward(to: target) { convert(owner, message) }
        }
    }

    /// Posts the notification that each message of a type is, until the token is cancelled or
    /// dropped.
    ///
    /// ```swift
    /// let token = center.forward(LoggedIn.self, to: .default)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - target: The notification center, kept until the forwarding ends.
    ///   - priority: Its place among the observations of this type.
    ///   - fileID: The forwarding file, for those who look for leaks.
    ///   - line: The forwarding line.
    /// - Returns: The token that ends the forwarding.
    public func forward<M: NotificationMessage>(
        _ type: M.Type,
        to target: NotificationCenter,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationToken {
        forward(type, to: target, priority: priority, fileID: fileID, line: line) {
            $0.notification
        }
    }

    /// Posts the notification that each message of a type is, for as long as `owner` lives.
    ///
    /// ```swift
    /// center.forward(LoggedIn.self, to: .default, owner: self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - target: The notification center, kept until the forwarding ends.
    ///   - owner: The object whose life bounds the forwarding.
    ///   - priority: Its place among the observations of this type.
    ///   - fileID: The forwarding file, for those who look for leaks.
    ///   - line: The forwarding line.
    /// - Returns: A token that ends the forwarding earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func forward<M: NotificationMessage>(
        _ type: M.Type,
        to target: NotificationCenter,
        owner: some AnyObject & Sendable,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationToken {
        forward(
            type,
            to: target,
            owner: owner,
            priority: priority,
            fileID: fileID,
            line: line
        ) { _, message in message.notification }
    }
}
