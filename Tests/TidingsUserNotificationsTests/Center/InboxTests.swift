// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsUserNotifications

/// The state machine, without tasks.
@Suite(.timeLimit(.minutes(15)))
struct InboxTests {
    private typealias Inbox = UserNotificationCenter.Inbox

    private func request(_ identifier: String, _ title: String = "") -> UserNotificationRequest {
        .init(identifier: identifier, content: .init(title: title))
    }

    /// Removes the next operation of a queue, which must be `show`.
    private func next(_ inbox: inout Inbox, _ identifier: String) throws -> UserNotification {
        guard case .show(let posting)? = inbox.nextOperation(for: identifier) else {
            throw UserNotificationError(.notDelivered, "Nothing is to be shown.")
        }
        return inbox.draft(of: posting, at: Date(timeIntervalSince1970: 0))
    }

    private func closes(_ inbox: inout Inbox, _ identifier: String) -> Bool {
        if case .close? = inbox.nextOperation(for: identifier) { true } else { false }
    }

    @Test func eachIdentifierHasOneQueue() throws {
        var inbox = Inbox(limit: 9)
        #expect(inbox.post(request("a"), OutcomePromise()).started == ["a"])
        #expect(inbox.post(request("a"), OutcomePromise()).started == [])
        #expect(inbox.post(request("b"), OutcomePromise()).started == ["b"])
        _ = try next(&inbox, "a")
        #expect(inbox.nextOperation(for: "a") == nil)
        #expect(inbox.post(request("a"), OutcomePromise()).started == ["a"])
    }

    @Test func n4_aQueuedRequestIsReplaced() throws {
        var inbox = Inbox(limit: 9)
        let first = OutcomePromise()
        _ = inbox.post(request("a", "old"), first)
        let replaced = inbox.post(request("a", "new"), OutcomePromise()).replaced
        #expect(replaced.count == 1 && replaced.first === first)
        #expect(try next(&inbox, "a").content.title == "new")
    }

    @Test func n4_aRunningRequestGivesWayToAQueuedOne() throws {
        var inbox = Inbox(limit: 9)
        _ = inbox.post(request("a", "old"), OutcomePromise())
        let old = try next(&inbox, "a")
        _ = inbox.post(request("a", "new"), OutcomePromise())
        #expect(inbox.deliver(old) == nil)
        let new = try next(&inbox, "a")
        #expect(inbox.deliver(new) != nil)
        #expect(inbox.delivered.map(\.content.title) == ["new"])
    }

    @Test func n8_aDeliveryTakesOneResponse() throws {
        var inbox = Inbox(limit: 9)
        _ = inbox.post(request("a"), OutcomePromise())
        let notification = try next(&inbox, "a")
        _ = inbox.deliver(notification)
        #expect(inbox.respond(to: notification.id) != nil)
        #expect(inbox.respond(to: notification.id) == nil)
        #expect(closes(&inbox, "a"))
    }

    @Test func n8_aResponseToAReplacedNotificationIsIgnored() throws {
        var inbox = Inbox(limit: 9)
        _ = inbox.post(request("a"), OutcomePromise())
        let old = try next(&inbox, "a")
        _ = inbox.deliver(old)
        _ = inbox.nextOperation(for: "a")
        _ = inbox.post(request("a"), OutcomePromise())
        _ = inbox.deliver(try next(&inbox, "a"))
        #expect(inbox.respond(to: old.id) == nil)
        #expect(inbox.delivered.count == 1)
    }

    @Test func aResponseToAReplacedNotificationKeepsItsSuccessor() throws {
        var inbox = Inbox(limit: 9)
        _ = inbox.post(request("a", "old"), OutcomePromise())
        let old = try next(&inbox, "a")
        _ = inbox.deliver(old)
        _ = inbox.nextOperation(for: "a")
        _ = inbox.post(request("a", "new"), OutcomePromise())
        let new = try next(&inbox, "a")
        #expect(inbox.respond(to: old.id)?.effects.started == [])
        #expect(inbox.deliver(new) != nil)
        #expect(inbox.nextOperation(for: "a") == nil)
        #expect(inbox.delivered.map(\.content.title) == ["new"])
    }

    @Test func aRemovalStopsAQueuedRequest() throws {
        var inbox = Inbox(limit: 9)
        let waiting = OutcomePromise()
        _ = inbox.post(request("a"), OutcomePromise())
        let notification = try next(&inbox, "a")
        _ = inbox.post(request("a"), waiting)
        let effects = inbox.remove(["a", "unknown"])
        #expect(effects.replaced.first === waiting)
        #expect(!effects.isListChanged)
        #expect(inbox.deliver(notification) == nil)
        #expect(closes(&inbox, "a"))
    }

    @Test func aFullListLosesItsOldest() throws {
        var inbox = Inbox(limit: 2)
        for identifier in ["a", "b", "c"] {
            _ = inbox.post(request(identifier), OutcomePromise())
            let effects = inbox.deliver(try next(&inbox, identifier))
            _ = inbox.nextOperation(for: identifier)
            #expect(effects?.started == (identifier == "c" ? ["a"] : []))
        }
        #expect(inbox.delivered.map(\.identifier) == ["b", "c"])
        #expect(closes(&inbox, "a"))
    }

    @Test func n4_aNotificationReplacedBeforeTheLoadNeverReturns() throws {
        var inbox = Inbox(limit: 9)
        _ = inbox.post(request("a", "new"), OutcomePromise())
        _ = inbox.deliver(try next(&inbox, "a"))
        _ = inbox.nextOperation(for: "a")
        var record = NotificationRecord()
        let old = UserNotification(
            id: .init(identifier: "a", number: 7),
            content: .init(title: "old"),
            date: Date(timeIntervalSince1970: 0)
        )
        record.delivered = [DeliveredNotification(notification: old, isShown: true, owner: "")]
        _ = inbox.adopt(record, run: 1) { _ in true }
        #expect(inbox.delivered.map(\.content.title) == ["new"])
        _ = inbox.remove(["a"])
        #expect(inbox.list.drainChanges().removed == [old.id])
    }

    @Test func n17_theBadgeIsNeverBelowZero() {
        var inbox = Inbox(limit: 9)
        inbox.setBadge(3)
        inbox.setBadge(-1)
        #expect(inbox.badge == 0)
    }
}
