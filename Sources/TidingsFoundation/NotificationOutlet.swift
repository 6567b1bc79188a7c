// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// What a forwarding to a notification center does with each message.
final class NotificationOutlet: Sendable {
    private weak let source: MessageCenter?
    /// Kept by the handler alone, which goes when the observation ends.
    private weak let target: NotificationCenter?
    /// Where the forwarded message has been that a thread is about to deliver here.
    private let arriving = Lock<[ObjectIdentifier: ForwardingPath]>([:])

    init(from source: MessageCenter, to target: NotificationCenter) {
        self.source = source
        self.target = target
    }

    /// Whether a message about `subject` may go on: it has not been on the target.
    ///
    /// A center asks just before it calls `forward`, on the same thread.
    func admits(_ subject: (any AnyObject & Sendable)?) -> Bool {
        guard let forwarded = subject as? ForwardedMessage else {
            expect(nil)
            return true
        }
        let path = target.flatMap { forwarded.path.extended(to: $0) }
        expect(path)
        return path != nil
    }

    /// Posts what `convert` returns on the target.
    func forward(to target: NotificationCenter, _ convert: () -> Notification?) {
        let path = takePath() ?? source.flatMap { ForwardingPath(from: $0).extended(to: target) }
        guard let path, let notification = convert() else { return }
        ForwardingMark.post(notification, on: target, along: path)
    }

    private func expect(_ path: ForwardingPath?) {
        // Mostly there is nothing to forget, and then the thread need not be known.
        if path == nil, arriving.withLock({ $0.isEmpty }) { return }
        let thread = ObjectIdentifier(Thread.current)
        arriving.withLock { $0[thread] = path }
    }

    private func takePath() -> ForwardingPath? {
        if arriving.withLock({ $0.isEmpty }) { return nil }
        let thread = ObjectIdentifier(Thread.current)
        return arriving.withLock { $0.removeValue(forKey: thread) }
    }
}
