// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsFoundation

/// Forwarders that only Foundation's center retains.
///
/// A forwarder that is released has been removed from the center.
@Suite(.timeLimit(.minutes(15)))
struct NotificationForwarderTests {
    private let source = NotificationCenter()
    private let site = ForwardingSite(fileID: #fileID, line: #line)

    private func open(
        _ forwarder: NotificationForwarder,
        to target: MessageCenter,
        owner: Owner? = nil
    ) -> ObservationToken {
        forwarder.open(Step.notificationName, to: target, at: site) { center, conversion in
            guard let owner else {
                return center.observe(NotificationForwarder.ReceivedNotification.self) {
                    conversion.forward($0) { Step($0) }
                }
            }
            return center.observe(NotificationForwarder.ReceivedNotification.self, owner: owner) {
                conversion.forward($1) { Step($0) }
            }
        }
    }

    @Test func isRemovedWhenItsTokenIsCancelled() {
        let target = MessageCenter()
        weak var released: NotificationForwarder?
        let token: ObservationToken
        do {
            let forwarder = NotificationForwarder(from: source, about: nil)
            released = forwarder
            token = open(forwarder, to: target)
        }
        #expect(released != nil)
        token.cancel()
        #expect(released == nil)
    }

    @Test func isRemovedByTheFirstNotificationAfterItsOwnersRelease() {
        let target = MessageCenter()
        weak var released: NotificationForwarder?
        do {
            let (owner, forwarder) = (Owner(), NotificationForwarder(from: source, about: nil))
            released = forwarder
            _ = open(forwarder, to: target, owner: owner)
            source.post(1)
        }
        #expect(released != nil)
        source.post(2)
        #expect(released == nil)
    }

    @Test func isRemovedByTheFirstNotificationAfterItsTargetsRelease() {
        weak var released: NotificationForwarder?
        let token: ObservationToken
        do {
            let target = MessageCenter()
            let forwarder = NotificationForwarder(from: source, about: nil)
            released = forwarder
            token = open(forwarder, to: target)
            source.post(1)
        }
        #expect(released != nil)
        source.post(2)
        #expect(released == nil)
        token.cancel()
    }

    @Test func isRemovedByTheFirstNotificationAfterItsObjectsRelease() {
        let target = MessageCenter()
        weak var released: NotificationForwarder?
        let token: ObservationToken
        do {
            let object = Owner()
            let forwarder = NotificationForwarder(from: source, about: object)
            released = forwarder
            token = open(forwarder, to: target)
            source.post(1)
        }
        #expect(released != nil)
        source.post(2)
        #expect(released == nil)
        token.cancel()
    }
}
