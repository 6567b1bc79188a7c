// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

/// An entry in the `userInfo` of a forwarded notification that carries the path.
///
/// A notification is a value, and an observer may post the same value again on purpose. So a tag is
/// valid only during the forwarder's post, and only once for each forwarder. A second arrival with
/// the same tag is a new post of the program.
final class ForwardingTag: Sendable {
    /// The key in `userInfo`, whose private type cannot collide with a key of the program.
    private struct Key: Hashable {}

    private struct State {
        var isPosting = true
        private var arrivals: [ObjectIdentifier] = []

        /// Returns whether this is the first arrival of the tagged post at a forwarder.
        mutating func arrives(at forwarder: ObjectIdentifier) -> Bool {
            guard isPosting, !arrivals.contains(forwarder) else { return false }
            arrivals.append(forwarder)
            return true
        }
    }

    private let path: ForwardingPath
    private let hasUserInfo: Bool
    private let state = Lock(State())

    private init(_ path: ForwardingPath, hasUserInfo: Bool) {
        self.path = path
        self.hasUserInfo = hasUserInfo
    }

    /// Posts a notification with a tag from which every forwarder reads the path.
    static func post(
        _ notification: Notification,
        on center: NotificationCenter,
        along path: ForwardingPath
    ) {
        let tag = ForwardingTag(path, hasUserInfo: notification.userInfo != nil)
        var notification = notification
        notification.userInfo = (notification.userInfo ?? [:]).merging([Key(): tag]) { $1 }
        center.post(notification)
        tag.state.withLock { $0.isPosting = false }
    }

    /// Removes the tag from a notification that arrives at `forwarder`.
    ///
    /// - Returns: The path in the tag, or nil if the program posted the notification.
    static func remove(
        from notification: inout Notification,
        at forwarder: NotificationForwarder
    ) -> ForwardingPath? {
        guard let tag = notification.userInfo?[Key()] as? ForwardingTag else { return nil }
        notification.userInfo?[Key()] = nil
        if !tag.hasUserInfo { notification.userInfo = nil }
        return tag.state.withLock { $0.arrives(at: ObjectIdentifier(forwarder)) } ? tag.path : nil
    }
}
