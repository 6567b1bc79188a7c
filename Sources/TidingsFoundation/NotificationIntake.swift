// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// One observer of a notification center that makes messages of what it sees.
///
/// What it sees goes through a center of its own to one ordinary observation. The token of that
/// is the token of the forwarding, so that every rule for tokens and owners holds although
/// Foundation calls observers that were removed.
final class NotificationIntake: Sendable {
    /// A notification on its way through the intake.
    ///
    /// Unchecked: it is posted and handled in one call, on one thread.
    struct Arrival: Message, @unchecked Sendable {
        let notification: Notification
        let path: ForwardingPath
    }

    /// Foundation's handle, never looked into.
    ///
    /// Unchecked: the only thing done with it is to hand it back to its center, which locks.
    private struct Handle: @unchecked Sendable {
        let observer: any NSObjectProtocol
    }

    /// Has one observation, which keeps what the user's closure captured: Foundation's center
    /// releases what it keeps under its lock.
    private let arrivals = MessageCenter()
    private let registration = Lock(Registration<Handle>())
    private weak let source: NotificationCenter?
    private let subject: Subject?

    #if THREAD_SANITIZER
    /// Says again what Foundation's lock orders, which the sanitizer on Linux cannot see.
    private static let order = Lock(())
    #endif

    /// - Parameters:
    ///   - source: Where notifications come from; it alone keeps the intake alive.
    ///   - subject: The object they must be about.
    init(from source: NotificationCenter, about subject: (any AnyObject & Sendable)?) {
        self.source = source
        self.subject = subject.map { Subject(object: $0) }
    }

    /// Begins to observe, for as long as the observation lives that `observe` makes.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - target: Where messages go.
    ///   - site: The place that watchers of the target see.
    ///   - observe: Makes the observation, whose handler calls the conversion.
    /// - Returns: The token of the observation.
    func open(
        _ name: Notification.Name,
        to target: MessageCenter,
        at site: ForwardingSite,
        observe: (MessageCenter, Conversion) -> ObservationToken
    ) -> ObservationToken {
        let token = observe(arrivals, Conversion(intake: self, target: target, site: site))
        register(name)
        return token
    }

    var isOpen: Bool { arrivals.hasObservers(of: Arrival.self) }

    /// Gives Foundation's handle back.
    func close() {
        giveBack(registration.withLock { $0.end() })
    }

    private func register(_ name: Notification.Name) {
        guard let source else { return }
        #if THREAD_SANITIZER
        Self.order.withLock { _ in }
        #endif
        // Without a queue: Foundation blocks the poster until all of a queue is empty.
        let observer = source.addObserver(forName: name, object: nil, queue: nil) { [self] in
            #if THREAD_SANITIZER
            Self.order.withLock { _ in }
            #endif
            receive($0)
        }
        let handle = Handle(observer: observer)
        giveBack(registration.withLock { $0.complete(with: handle) })
    }

    private func receive(_ notification: Notification) {
        guard let source, subject?.isAlive != false else { return close() }
        guard subject?.isSubject(of: notification) != false else { return }
        var notification = notification
        let path = ForwardingMark.take(from: &notification, at: self)
        let arrival = Arrival(
            notification: notification,
            path: path ?? ForwardingPath(from: source)
        )
        // At once, also where this intake is in the middle of another notification.
        arrivals.post(arrival, delivery: .nested)
    }

    private func giveBack(_ handle: Handle?) {
        if let handle { source?.removeObserver(handle.observer) }
    }
}

extension NotificationIntake {
    /// What the handler of an intake's observation holds; the intake closes when it goes.
    final class Conversion: Sendable {
        private weak let intake: NotificationIntake?
        private weak let target: MessageCenter?
        private let site: ForwardingSite

        init(intake: NotificationIntake, target: MessageCenter, site: ForwardingSite) {
            self.intake = intake
            self.target = target
            self.site = site
        }

        deinit { intake?.close() }

        /// Posts what `convert` makes of an arrival, unless it has been on the target.
        func forward<M: Message>(_ arrival: Arrival, _ convert: (Notification) -> M?) {
            guard let target else {
                intake?.close()
                return
            }
            guard let path = arrival.path.extended(to: target),
                let message = convert(arrival.notification), intake?.isOpen == true
            else { return }
            let subject = ForwardedMessage(path)
            target.post(message, about: subject, fileID: site.fileID, line: site.line)
        }
    }

    /// The object that notifications must be about: one that lives, never what stands at its
    /// address later.
    private struct Subject: Sendable {
        weak let object: (any AnyObject & Sendable)?

        var isAlive: Bool { object != nil }

        func isSubject(of notification: Notification) -> Bool {
            guard let object, let other = notification.object else { return false }
            return other as AnyObject === object
        }
    }
}
