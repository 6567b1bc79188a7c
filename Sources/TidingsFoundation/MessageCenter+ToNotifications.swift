// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Tidings

extension MessageCenter {
    /// Posts a notification for each message of a type, until the token is cancelled or dropped.
    ///
    /// The forwarding is an ordinary observation of this center. The closure runs in priority order
    /// among the handlers, on the thread that posts the message. Foundation's observers run before
    /// the next handler.
    ///
    /// If the closure returns nil, the message is silently not forwarded. A message that was
    /// forwarded from the same notification center, directly or through other centers, is never
    /// forwarded back, and the closure is not called. A message that a handler posts is always new.
    ///
    /// ```swift
    /// let token = center.forward(LoggedIn.self, to: .default) { message in
    ///     Notification(name: .userDidLogIn, userInfo: ["name": message.name])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - target: The notification center, retained until the forwarding ends.
    ///   - priority: The order among the observations of this type.
    ///   - fileID: The file of the forwarding, for leak reports.
    ///   - line: The line of the forwarding.
    ///   - convert: Returns the notification, or nil to ignore the message.
    /// - Returns: The token that ends the forwarding.
    public func forward<M: Message>(
        _ type: M.Type,
        to target: NotificationCenter,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ convert: @escaping @Sendable (M) -> Notification?
    ) -> ObservationToken {
        let forwarder = MessageForwarder(from: self, to: target)
        return messages(of: type).priority(priority).about(matching: { forwarder.accepts($0) })
            .observe(fileID: fileID, line: line) { message in
                forwarder.forward(to: target) { convert(message) }
            }
    }

    /// Posts a notification for each message of a type, for the lifetime of `owner`.
    ///
    /// This form works like the form with a token, but has the lifetime of an owner-bound
    /// observation.
    ///
    /// ```swift
    /// center.forward(LoggedIn.self, to: .default, owner: self) { owner, message in
    ///     owner.notification(for: message)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - target: The notification center, retained until the forwarding ends.
    ///   - owner: The object whose release ends the forwarding.
    ///   - priority: The order among the observations of this type.
    ///   - fileID: The file of the forwarding, for leak reports.
    ///   - line: The line of the forwarding.
    ///   - convert: Returns the notification, or nil to ignore the message. Do not capture `self`,
    ///     but use the parameter.
    /// - Returns: A token whose `cancel()` ends the forwarding earlier. Dropping the token does not
    ///   end the forwarding.
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
        let forwarder = MessageForwarder(from: self, to: target)
        return messages(of: type).priority(priority).about(matching: { forwarder.accepts($0) })
            .observe(owner: owner, fileID: fileID, line: line) { owner, message in
                forwarder.forward(to: target) { convert(owner, message) }
            }
    }

    /// Posts the `notification` of each message of a type, until the token is cancelled or dropped.
    ///
    /// ```swift
    /// let token = center.forward(LoggedIn.self, to: .default)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - target: The notification center, retained until the forwarding ends.
    ///   - priority: The order among the observations of this type.
    ///   - fileID: The file of the forwarding, for leak reports.
    ///   - line: The line of the forwarding.
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

    /// Posts the `notification` of each message of a type, for the lifetime of `owner`.
    ///
    /// ```swift
    /// center.forward(LoggedIn.self, to: .default, owner: self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - target: The notification center, retained until the forwarding ends.
    ///   - owner: The object whose release ends the forwarding.
    ///   - priority: The order among the observations of this type.
    ///   - fileID: The file of the forwarding, for leak reports.
    ///   - line: The line of the forwarding.
    /// - Returns: A token whose `cancel()` ends the forwarding earlier. Dropping the token does not
    ///   end the forwarding.
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
