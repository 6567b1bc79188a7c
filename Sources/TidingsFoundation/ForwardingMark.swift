// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// What a forwarded notification carries so that it is known when it is delivered.
///
/// A notification is a value, and whoever receives it may post the same value again on purpose.
/// So a mark holds only while the forwarding posts it, and once for each intake: the second
/// arrival of one mark is somebody else's post.
final class ForwardingMark: Sendable {
    /// Its place in `userInfo`; a type of its own never meets a key of the program's.
    private struct Key: Hashable {}

    private struct State {
        var isPosting = true
        private var arrivals: [ObjectIdentifier] = []

        /// Whether this is the delivery that was marked.
        mutating func arrives(at intake: ObjectIdentifier) -> Bool {
            guard isPosting, !arrivals.contains(intake) else { return false }
            arrivals.append(intake)
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

    /// Posts a notification so that every intake knows where it has been.
    static func post(
        _ notification: Notification,
        on center: NotificationCenter,
        along path: ForwardingPath
    ) {
        let mark = ForwardingMark(path, hasUserInfo: notification.userInfo != nil)
        var notification = notification
        notification.userInfo = (notification.userInfo ?? [:]).merging([Key(): mark]) { $1 }
        center.post(notification)
        mark.state.withLock { $0.isPosting = false }
    }

    /// Returns where a notification has been that arrives at `intake`, and takes its mark off.
    ///
    /// - Returns: nil if it was posted by the program itself.
    static func take(
        from notification: inout Notification,
        at intake: NotificationIntake
    ) -> ForwardingPath? {
        guard let mark = notification.userInfo?[Key()] as? ForwardingMark else { return nil }
        notification.userInfo?[Key()] = nil
        if !mark.hasUserInfo { notification.userInfo = nil }
        return mark.state.withLock { $0.arrives(at: ObjectIdentifier(intake)) } ? mark.path : nil
    }
}
