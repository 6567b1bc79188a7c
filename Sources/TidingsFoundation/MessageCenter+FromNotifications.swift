// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Tidings

extension MessageCenter {
    /// Posts a message on this center for each notification of a name, until the token is
    /// cancelled or dropped.
    ///
    /// The closure and then the message's handlers run on the thread that posts the notification,
    /// before Foundation's `post` returns; a notification that is posted inside a handler of this
    /// center becomes a message that is delivered after the current one. Foundation calls its
    /// observers in no particular order, and so this one among them.
    ///
    /// A notification for which the closure returns nil is not forwarded; nobody is told. One that
    /// was forwarded from this center, directly or through others, is never brought back: the
    /// closure is not even asked. When this center goes, the forwarding ends.
    ///
    /// ```swift
    /// let token = center.forward(.userDidLogIn, from: .default) { notification in
    ///     (notification.userInfo?["name"] as? String).map { LoggedIn(name: $0) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - source: The notification center, which is not kept alive.
    ///   - object: The object that they must be about, held weakly; nil for every notification.
    ///   - type: The type of message, where the closure does not show it.
    ///   - fileID: The file that those who watch the center see as the poster.
    ///   - line: The line that they see.
    ///   - convert: Makes the message, or nil if this notification is none.
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
        let intake = NotificationIntake(from: source, about: object)
        return intake.open(name, to: self, at: site) { arrivals, conversion in
            arrivals.observe(NotificationIntake.Arrival.self, fileID: fileID, line: line) {
                conversion.forward($0, convert)
            }
        }
    }

    /// Posts a message on this center for each notification of a name, for as long as `owner`
    /// lives.
    ///
    /// The same as the form with a token, with an owner that is held weakly, handed to the closure
    /// and kept alive for its call. The closure itself is released by the next notification after
    /// the owner's death; an owner that stores the token releases it when it dies.
    ///
    /// ```swift
    /// center.forward(.userDidLogIn, from: .default, owner: self) { owner, notification in
    ///     owner.message(for: notification)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - source: The notification center, which is not kept alive.
    ///   - object: The object that they must be about, held weakly; nil for every notification.
    ///   - owner: The object whose life bounds the forwarding.
    ///   - type: The type of message, where the closure does not show it.
    ///   - fileID: The file that those who watch the center see as the poster.
    ///   - line: The line that they see.
    ///   - convert: Makes the message, or nil if this notification is none. Capture `self`
    ///     nowhere: use the parameter.
    /// - Returns: A token that ends the forwarding earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
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
        let intake = NotificationIntake(from: source, about: object)
        return intake.open(name, to: self, at: site) { arrivals, conversion in
            arrivals.observe(
                NotificationIntake.Arrival.self,
                owner: owner,
                fileID: fileID,
                line: line
            ) { owner, arrival in
                conversion.forward(arrival) { convert(owner, $0) }
            }
        }
    }

    /// Posts the message that each notification of its name is, until the token is cancelled or
    /// dropped.
    ///
    /// ```swift
    /// let token = center.forward(LoggedIn.self, from: .default)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - source: The notification center, which is not kept alive.
    ///   - object: The object that they must be about, held weakly; nil for every notification.
    ///   - fileID: The file that those who watch the center see as the poster.
    ///   - line: The line that they see.
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

    /// Posts the message that each notification of its name is, for as long as `owner` lives.
    ///
    /// ```swift
    /// center.forward(LoggedIn.self, from: .default, owner: self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - source: The notification center, which is not kept alive.
    ///   - object: The object that they must be about, held weakly; nil for every notification.
    ///   - owner: The object whose life bounds the forwarding.
    ///   - fileID: The file that those who watch the center see as the poster.
    ///   - line: The line that they see.
    /// - Returns: A token that ends the forwarding earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
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
