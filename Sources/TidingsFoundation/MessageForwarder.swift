// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

/// Posts the messages of one observation on a notification center.
final class MessageForwarder: Sendable {
    private weak let source: MessageCenter?
    /// The target, retained only by the observation's handler, which is released when the
    /// observation ends.
    private weak let target: NotificationCenter?
    /// The path of the forwarded message that each thread is about to deliver here.
    private let pendingPaths = Lock<[ObjectIdentifier: ForwardingPath]>([:])

    init(from source: MessageCenter, to target: NotificationCenter) {
        self.source = source
        self.target = target
    }

    /// Returns whether a message about `subject` has not passed the target and may be forwarded.
    ///
    /// A center calls this method just before `forward`, on the same thread.
    func accepts(_ subject: (any AnyObject & Sendable)?) -> Bool {
        guard let forwarded = subject as? ForwardedSubject else {
            setPendingPath(nil)
            return true
        }
        let path = target.flatMap { forwarded.path.extended(to: $0) }
        setPendingPath(path)
        return path != nil
    }

    /// Posts the notification that `convert` returns on the target.
    func forward(to target: NotificationCenter, _ convert: () -> Notification?) {
        let path =
            removePendingPath() ?? source.flatMap { ForwardingPath(from: $0).extended(to: target) }
        guard let path, let notification = convert() else { return }
        ForwardingTag.post(notification, on: target, along: path)
    }

    private func setPendingPath(_ path: ForwardingPath?) {
        // Usually there is nothing to remove, and the lookup of the thread is not needed.
        if path == nil, pendingPaths.withLock({ $0.isEmpty }) { return }
        let thread = ObjectIdentifier(Thread.current)
        pendingPaths.withLock { $0[thread] = path }
    }

    private func removePendingPath() -> ForwardingPath? {
        if pendingPaths.withLock({ $0.isEmpty }) { return nil }
        let thread = ObjectIdentifier(Thread.current)
        return pendingPaths.withLock { $0.removeValue(forKey: thread) }
    }
}
