// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Tidings

extension MessageCenter {
    /// Posts a message on this center for each notification of a name, until the token is
    /// cancelled or dropped.
    ///
    /// The closure and then the message's handlers run on the thread that posts the notification,
    /// before Foundation's `post` returns. A notification posted inside a handler of this center
    /// becomes a message that is delivered after the current message. Foundation calls all
    /// observers, including this forwarding, in no particular order.
    ///
    /// If the closure returns nil, the notification is silently not forwarded. A notification that
    /// was forwarded from this center, directly or through other centers, is never forwarded back,
    /// and the closure is not called. The forwarding ends when this center is released.
    ///
    /// ```swift
    /// let token = center.forward(.userDidLogIn, from: .default) { notification in
    ///     (notification.userInfo?["name"] as? String).map { LoggedIn(name: $0) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - source: The notification center, referenced weakly.
    ///   - object: The object of the notifications, referenced weakly, or nil for all
    ///     notifications.
    ///   - type: The type of message, if the closure does not determine the type.
    ///   - fileID: The file that the center reports as the poster.
    ///   - line: The line that the center reports.
    ///   - convert: Returns the message, or nil to ignore the notification.
    /// - Returns: The token that ends the forwarding.
    public func forward<M: Message>(
        _ name: Notification.Name,
        from source: NotificationCenter,
        object: (any AnyObject & Sendable)? = nil,
        as type: M.Type = M.self,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ convert: @escaping @Sendable (Notification) -> M?
    ) -> ObservationToken {
        let site = ForwardingSite(fileID: fileID, line: line)
        let forwarder = NotificationForwarder(from: source, about: object)
        return forwarder.open(name, to: self, at: site) { center, conversion in
            center.observe(
                NotificationForwarder.ReceivedNotification.self,
                fileID: fileID,
                line: line
            ) {
                conversion.forward($0, convert)
            }
        }
    }

    /// Posts a message on this center for each notification of a name, for the lifetime of
    /// `owner`.
    ///
    /// This form works like the form with a token. In addition, the center references the owner
    /// weakly, passes the owner to the closure and retains the owner during the call. The first
    /// notification after the owner's release releases the closure. An owner that stores the token
    /// releases the closure earlier, when the owner is released.
    ///
    /// ```swift
    /// center.forward(.userDidLogIn, from: .default, owner: self) { owner, notification in
    ///     owner.message(for: notification)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - source: The notification center, referenced weakly.
    ///   - object: The object of the notifications, referenced weakly, or nil for all
    ///     notifications.
    ///   - owner: The object whose release ends the forwarding.
    ///   - type: The type of message, if the closure does not determine the type.
    ///   - fileID: The file that the center reports as the poster.
    ///   - line: The line that the center reports.
    ///   - convert: Returns the message, or nil to ignore the notification. Do not capture `self`,
    ///     but use the parameter.
    /// - Returns: A token whose `cancel()` ends the forwarding earlier. Dropping the token does not
    ///   end the forwarding.
    @discardableResult
    public func forward<M: Message, Owner: AnyObject & Sendable>(
        _ name: Notification.Name,
        from source: NotificationCenter,
        object: (any AnyObject & Sendable)? = nil,
        owner: Owner,
        as type: M.Type = M.self,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ convert: @escaping @Sendable (Owner, Notification) -> M?
    ) -> ObservationToken {
        let site = ForwardingSite(fileID: fileID, line: line)
        let forwarder = NotificationForwarder(from: source, about: object)
        return forwarder.open(name, to: self, at: site) { center, conversion in
            center.observe(
                NotificationForwarder.ReceivedNotification.self,
                owner: owner,
                fileID: fileID,
                line: line
            ) { owner, received in
                conversion.forward(received) { convert(owner, $0) }
            }
        }
    }

    /// Posts a message on this center for each notification of the type's name, until the token is
    /// cancelled or dropped.
    ///
    /// ```swift
    /// let token = center.forward(LoggedIn.self, from: .default)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - source: The notification center, referenced weakly.
    ///   - object: The object of the notifications, referenced weakly, or nil for all
    ///     notifications.
    ///   - fileID: The file that the center reports as the poster.
    ///   - line: The line that the center reports.
    /// - Returns: The token that ends the forwarding.
    public func forward<M: NotificationMessage>(
        _ type: M.Type,
        from source: NotificationCenter,
        object: (any AnyObject & Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationToken {
        forward(M.notificationName, from: source, object: object, fileID: fileID, line: line) {
            M($0)
        }
    }

    /// Posts a message on this center for each notification of the type's name, for the lifetime of
    /// `owner`.
    ///
    /// ```swift
    /// center.forward(LoggedIn.self, from: .default, owner: self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - source: The notification center, referenced weakly.
    ///   - object: The object of the notifications, referenced weakly, or nil for all
    ///     notifications.
    ///   - owner: The object whose release ends the forwarding.
    ///   - fileID: The file that the center reports as the poster.
    ///   - line: The line that the center reports.
    /// - Returns: A token whose `cancel()` ends the forwarding earlier. Dropping the token does not
    ///   end the forwarding.
    @discardableResult
    public func forward<M: NotificationMessage>(
        _ type: M.Type,
        from source: NotificationCenter,
        object: (any AnyObject & Sendable)? = nil,
        owner: some AnyObject & Sendable,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationToken {
        forward(
            M.notificationName,
            from: source,
            object: object,
            owner: owner,
            fileID: fileID,
            line: line
        ) { _, notification in M(notification) }
    }
}
