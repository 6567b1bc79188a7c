// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFoundation
import TidingsTesting

/// The forwarding of posts in both directions.
///
/// A forwarded post never returns to the origin, and a new post of the program is always forwarded.
@Suite(.timeLimit(.minutes(15)))
struct NoEchoTests {
    private let center = MessageCenter()
    private let foundation = NotificationCenter()
    private let bag = ObservationBag()
    private let messages = Log<Int>()
    private let notifications = Log<Int>()

    init() {
        center.forward(Step.self, from: foundation).store(in: bag)
        center.forward(Step.self, to: foundation).store(in: bag)
        center.observe(Step.self) { [messages] in messages($0.number) }.store(in: bag)
        // The observer is never removed and lives as long as the center.
        _ = foundation.observeSteps { [notifications] in notifications($0) }
    }

    @Test func eachSideSeesEachPostOnce() {
        foundation.post(1)
        center.post(Step(2))
        #expect(messages.all == [1, 2])
        #expect(notifications.all == [1, 2])
    }

    @Test func severalForwardingsOfOneTypeBringNothingBack() {
        let second = NotificationCenter()
        let seen = Log<Int>()
        _ = second.observeSteps { seen($0) }
        center.forward(Step.self, to: foundation).store(in: bag)
        center.forward(Step.self, to: second).store(in: bag)
        center.forward(Step.self, from: second).store(in: bag)
        foundation.post(1)
        #expect(messages.all == [1])
        #expect(notifications.all == [1])
        #expect(seen.all == [1])
        second.post(2)
        // There are two forwardings to the first center, and each forwards once.
        #expect(messages.all == [1, 2])
        #expect(notifications.all == [1, 2, 2])
        #expect(seen.all == [1, 2])
    }

    @Test func aForwardingUnderAnotherNameDoesNotEcho() {
        let other = Notification.Name("Other")
        let log = Log<String>()
        _ = foundation.addObserver(forName: other, object: nil, queue: nil) { _ in log("other") }
        center.forward(Step.self, to: foundation) { Notification(name: other, object: $0.number) }
            .store(in: bag)
        foundation.post(1)
        #expect(log.all.isEmpty)
        center.post(Step(2))
        #expect(log.all == ["other"])
    }

    @Test func aRingOfCentersIsPassedOnce() {
        let (otherCenter, otherFoundation) = (MessageCenter(), NotificationCenter())
        let log = Log<String>()
        _ = otherFoundation.observeSteps { log("notification \($0)") }
        otherCenter.observe(Step.self) { log("message \($0.number)") }.store(in: bag)
        center.forward(Step.self, to: otherFoundation).store(in: bag)
        otherCenter.forward(Step.self, from: otherFoundation).store(in: bag)
        otherCenter.forward(Step.self, to: foundation).store(in: bag)

        foundation.post(1)
        #expect(notifications.all == [1])
        #expect(messages.all == [1])
        #expect(log.all.sorted() == ["message 1", "notification 1"])

        otherCenter.post(Step(2))
        #expect(notifications.all == [1, 2])
        #expect(messages.all == [1, 2])
        #expect(log.all.dropFirst(2) == ["message 2", "notification 2"])
    }

    @Test func aHandlerThatPostsTheSameAgainIsForwarded() {
        center.observe(Step.self) { [center] in
            if $0.number == 1 { center.post(Step(1 + 10)) }
            if $0.number == 2 { center.post(Step(2 + 10)) }
        }.store(in: bag)
        foundation.post(1)
        center.post(Step(2))
        #expect(messages.all == [1, 11, 2, 12])
        // The values are sorted, because Foundation may call the observer after the forwarder.
        #expect(notifications.all.sorted() == [1, 2, 11, 12])
    }

    @Test func anEqualMessagePostedByAHandlerIsForwarded() {
        let echoes = Log<Int>()
        center.messages(of: Step.self).priority(.high).observe { [center] in
            if echoes.all.isEmpty {
                echoes($0.number)
                center.post($0)
            }
        }.store(in: bag)
        foundation.post(1)
        #expect(messages.all == [1, 1])
        #expect(notifications.all == [1, 1])
    }

    @Test func aMessageNestedInAForwardedOneIsForwarded() {
        let echoes = Log<Int>()
        center.messages(of: Step.self).priority(.high).observe { [center] in
            if echoes.all.isEmpty {
                echoes($0.number)
                center.post(Step($0.number + 10), options: [.nested])
            }
        }.store(in: bag)
        foundation.post(1)
        #expect(messages.all == [11, 1])
        #expect(notifications.all.sorted() == [1, 11])
    }

    @Test func aForwardedMessageNestedInAProgramsMessageIsNotForwarded() {
        let echoes = Log<Int>()
        center.messages(of: Step.self).priority(.high).observe { [center, foundation] in
            if echoes.all.isEmpty {
                echoes($0.number)
                center.post(Step(2), options: [.nested])
                foundation.post(3)
            }
        }.store(in: bag)
        center.post(Step(1))
        #expect(messages.all == [2, 1, 3])
        #expect(notifications.all == [2, 3, 1])
    }

    @Test func theSameNotificationPostedByAnObserverIsForwarded() {
        let echoes = Log<Int>()
        _ = foundation.addObserver(forName: Step.notificationName, object: nil, queue: nil) {
            [foundation] notification in
            if echoes.all.isEmpty {
                echoes(0)
                foundation.post(notification)
            }
        }
        center.post(Step(1))
        #expect(notifications.all == [1, 1])
        #expect(messages.all == [1, 1])
    }

    @Test func aForwardedNotificationThatIsPostedLaterIsForwarded() {
        let kept = KeptNotification()
        _ = foundation.addObserver(forName: Step.notificationName, object: nil, queue: nil) {
            kept.keep($0)
        }
        center.post(Step(1))
        let late = MessageCenter()
        late.observe(Step.self) { [messages] in messages($0.number + 10) }.store(in: bag)
        late.forward(Step.self, to: foundation).store(in: bag)
        late.forward(Step.self, from: foundation).store(in: bag)
        center.forward(Step.self, from: foundation).store(in: bag)
        kept.postAgain(on: foundation)
        #expect(notifications.all == [1, 1])
        #expect(messages.all.sorted() == [1, 1, 1, 11])
    }

    @Test func queuedMessagesKeepTheirOrigin() {
        center.observe(Nudge.self) { [center, foundation] _ in
            center.post(Step(1))
            foundation.post(2)
            center.post(Step(3))
            foundation.post(4)
            center.post(Step(5))
        }.store(in: bag)
        center.post(Nudge())
        #expect(messages.all == [1, 2, 3, 4, 5])
        // Foundation delivers 2 and 4 during the post, and 1, 3 and 5 wait for the handler to end.
        #expect(notifications.all == [2, 4, 1, 3, 5])
    }

    @MainActor @Test func aMainActorHandlerThatPostsAgainIsForwardedOnce() async throws {
        let (posted, handled) = (Gate(), Gate())
        let token = center.observe(Step.self, on: .main) { [center] in
            if $0.number == 1 { center.post(Step(2)) } else { handled.open() }
        }
        Thread { [foundation] in
            foundation.post(1)
            posted.open()
        }.start()
        try await posted.wait()
        try await handled.wait()
        #expect(messages.all == [1, 2])
        #expect(notifications.all.sorted() == [1, 2])
        token.cancel()
    }

    @Test func aForwardingThatBeginsInAHandlerForwardsNewPosts() {
        let late = NotificationCenter()
        let seen = Log<Int>()
        _ = late.observeSteps { seen($0) }
        center.observe(Step.self) { [center, bag] in
            guard $0.number == 1 else { return }
            center.forward(Step.self, to: late).store(in: bag)
            center.post(Step(2))
        }.store(in: bag)
        foundation.post(1)
        #expect(seen.all == [2])
    }

    @Test func anIgnoredNotificationDoesNotAffectTheNextMessage() {
        bag.cancelAll()
        let token = center.forward(Step.self, to: foundation)
        let back = center.forward(Step.notificationName, from: foundation, as: Step.self) { _ in
            nil
        }
        foundation.post(1)
        center.post(Step(2))
        #expect(notifications.all == [1, 2])
        token.cancel()
        back.cancel()
    }

    @Test func aConverterDoesNotSeeTheTag() {
        let counts = Log<Int>()
        let other = MessageCenter()
        let token = other.forward(Step.notificationName, from: foundation, as: Step.self) {
            counts($0.userInfo?.count ?? -1)
            return nil
        }
        center.post(Step(1))
        #expect(counts.all == [1])
        token.cancel()
    }
}
