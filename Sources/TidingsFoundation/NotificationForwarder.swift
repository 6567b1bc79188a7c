// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

/// An observer of a notification center that posts each notification as a message.
///
/// Foundation calls observers that were already removed. So each notification passes through a
/// private message center with one ordinary observation. The token of that observation is also the
/// token of the forwarding, so all rules for tokens and owners hold.
final class NotificationForwarder: Sendable {
    /// A notification that Foundation delivered to this forwarder.
    ///
    /// Unchecked: the value is posted and handled in one call, on one thread.
    struct ReceivedNotification: Message, @unchecked Sendable {
        let notification: Notification
        let path: ForwardingPath
    }

    /// Foundation's observer handle.
    ///
    /// Unchecked: the handle is only passed back to the notification center, which locks.
    private struct Handle: @unchecked Sendable {
        let observer: any NSObjectProtocol
    }

    /// The private center.
    ///
    /// Its only observation retains the captures of the caller's closure, because Foundation's
    /// center releases closures under a lock.
    private let center = MessageCenter()
    private let registration = Lock(Registration<Handle>())
    private weak let source: NotificationCenter?
    private let subject: Subject?

    #if THREAD_SANITIZER
    /// A lock that repeats the ordering of Foundation's lock, which the sanitizer on Linux cannot
    /// see.
    private static let order = Lock(())
    #endif

    /// Creates a forwarder.
    ///
    /// - Parameters:
    ///   - source: The center to observe, which alone retains the forwarder.
    ///   - subject: The object that notifications must be about, or nil for all notifications.
    init(from source: NotificationCenter, about subject: (any AnyObject & Sendable)?) {
        self.source = source
        self.subject = subject.map { Subject(object: $0) }
    }

    /// Starts observing, for the lifetime of the observation that `observe` returns.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - target: The center to post the messages on.
    ///   - site: The call site that the target reports for these posts.
    ///   - observe: Observes the private center with a handler that calls the conversion.
    /// - Returns: The token of the observation.
    func open(
        _ name: Notification.Name,
        to target: MessageCenter,
        at site: ForwardingSite,
        observe: (MessageCenter, Conversion) -> ObservationToken
    ) -> ObservationToken {
        let token = observe(center, Conversion(forwarder: self, target: target, site: site))
        register(name)
        return token
    }

    var isOpen: Bool { center.hasObservers(of: ReceivedNotification.self) }

    /// Removes Foundation's observer.
    func close() {
        removeObserver(registration.withLock { $0.end() })
    }

    private func register(_ name: Notification.Name) {
        guard let source else { return }
        #if THREAD_SANITIZER
        Self.order.withLock { _ in }
        #endif
        // The observer has no operation queue, because Foundation blocks the poster until the whole
        // queue is empty.
        let observer = source.addObserver(forName: name, object: nil, queue: nil) { [self] in
            #if THREAD_SANITIZER
            Self.order.withLock { _ in }
            #endif
            receive($0)
        }
        let handle = Handle(observer: observer)
        removeObserver(registration.withLock { $0.complete(with: handle) })
    }

    private func receive(_ notification: Notification) {
        guard let source, subject?.isAlive != false else { return close() }
        guard subject?.isSubject(of: notification) != false else { return }
        var notification = notification
        let path = ForwardingTag.remove(from: &notification, at: self)
        let received = ReceivedNotification(
            notification: notification,
            path: path ?? ForwardingPath(from: source)
        )
        // The post is nested, so that it also runs immediately while this forwarder handles another
        // notification.
        center.post(received, options: [.nested])
    }

    private func removeObserver(_ handle: Handle?) {
        if let handle { source?.removeObserver(handle.observer) }
    }
}

extension NotificationForwarder {
    /// The object that the observation's handler retains, and whose release closes the forwarder.
    final class Conversion: Sendable {
        private weak let forwarder: NotificationForwarder?
        private weak let target: MessageCenter?
        private let site: ForwardingSite

        init(forwarder: NotificationForwarder, target: MessageCenter, site: ForwardingSite) {
            self.forwarder = forwarder
            self.target = target
            self.site = site
        }

        deinit { forwarder?.close() }

        /// Posts the message that `convert` returns, unless the notification has already passed the
        /// target.
        func forward<M: Message>(
            _ received: ReceivedNotification,
            _ convert: (Notification) -> M?
        ) {
            guard let target else {
                forwarder?.close()
                return
            }
            guard let path = received.path.extended(to: target),
                let message = convert(received.notification), forwarder?.isOpen == true
            else { return }
            let subject = ForwardedSubject(path)
            target.post(message, about: subject, fileID: site.fileID, line: site.line)
        }
    }

    /// The object that notifications must be about.
    ///
    /// The object is compared only during its lifetime, so that a later object at the same address
    /// does not match.
    private struct Subject: Sendable {
        weak let object: (any AnyObject & Sendable)?

        var isAlive: Bool { object != nil }

        func isSubject(of notification: Notification) -> Bool {
            guard let object, let other = notification.object else { return false }
            return other as AnyObject === object
        }
    }
}
