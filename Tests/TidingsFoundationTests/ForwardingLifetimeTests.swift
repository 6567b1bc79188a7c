// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFoundation
import TidingsLock

@Suite(.timeLimit(.minutes(15)))
struct ForwardingLifetimeTests {
    private let center = MessageCenter()
    private let foundation = NotificationCenter()
    private let log = Log<Int>()

    @Test(arguments: ["cancel", "drop"])
    func theTokenEndsAForwardingFromFoundationAndReleasesItsClosure(end: String) {
        weak var released: Canary?
        var token: ObservationToken?
        do {
            let canary = Canary()
            released = canary
            token = center.forward(Step.notificationName, from: foundation, as: Step.self) {
                [log] in
                canary.touch()
                Step($0).map { log($0.number) }
                return nil
            }
        }
        foundation.post(1)
        if end == "cancel" { token?.cancel() } else { token = nil }
        #expect(released == nil)
        foundation.post(2)
        #expect(log.all == [1])
    }

    @Test(arguments: ["cancel", "drop"])
    func theTokenEndsAForwardingToFoundationAndReleasesItsClosure(end: String) {
        let observer = foundation.observeSteps { [log] in log($0) }
        weak var released: Canary?
        var token: ObservationToken?
        do {
            let canary = Canary()
            released = canary
            token = center.forward(Step.self, to: foundation) {
                canary.touch()
                return $0.notification
            }
        }
        center.post(Step(1))
        if end == "cancel" { token?.cancel() } else { token = nil }
        #expect(released == nil)
        #expect(center.post(Step(2)) == 0)
        #expect(log.all == [1])
        foundation.removeObserver(observer)
    }

    @Test func anOwnerBoundForwardingFromFoundationEndsWithItsOwner() {
        let steps = center.observe(Step.self) { [log] in log($0.number) }
        weak var released: Canary?
        do {
            let (owner, canary) = (Owner(), Canary())
            released = canary
            center.forward(Step.notificationName, from: foundation, owner: owner) {
                [log] owner, notification in
                canary.touch()
                log(owner.token.withLock { $0 == nil ? 0 : -1 })
                return Step(notification)
            }
            foundation.post(1)
        }
        foundation.post(2)
        #expect(log.all == [0, 1])
        #expect(released == nil)
        steps.cancel()
    }

    @Test func anOwnerBoundForwardingToFoundationEndsWithItsOwner() {
        let observer = foundation.observeSteps { [log] in log($0) }
        do {
            let owner = Owner()
            center.forward(Step.self, to: foundation, owner: owner)
            center.forward(Step.self, to: foundation, owner: owner) { _, step in
                Step(step.number * 10).notification
            }
            #expect(center.post(Step(1)) == 2)
        }
        #expect(center.post(Step(2)) == 0)
        #expect(log.all == [1, 10])
        foundation.removeObserver(observer)
    }

    @Test func anOwnerThatStoresTheTokenReleasesTheClosureWithItself() {
        weak var released: Canary?
        do {
            let (owner, canary) = (Owner(), Canary())
            released = canary
            let token = center.forward(
                Step.notificationName,
                from: foundation,
                owner: owner,
                as: Step.self
            ) { _, _ in
                canary.touch()
                return nil
            }
            owner.token.withLock { $0 = token }
        }
        #expect(released == nil)
    }

    @Test func anOwnersTokenEndsAForwardingEarlier() {
        let owner = Owner()
        let token = center.forward(Step.self, from: foundation, owner: owner)
        let steps = center.observe(Step.self) { [log] in log($0.number) }
        foundation.post(1)
        token.cancel()
        foundation.post(2)
        #expect(log.all == [1])
        steps.cancel()
    }

    @Test func aForwardingRetainsNeitherCenter() {
        weak var messages: MessageCenter?
        weak var notifications: NotificationCenter?
        let owner = Owner()
        var tokens: [ObservationToken] = []
        do {
            let (center, foundation) = (MessageCenter(), NotificationCenter())
            (messages, notifications) = (center, foundation)
            tokens.append(center.forward(Step.self, from: foundation))
            center.forward(Step.self, from: foundation, owner: owner)
            tokens.append(center.forward(Step.self, to: foundation))
            center.forward(Step.self, to: foundation, owner: owner)
            foundation.post(1)
        }
        #expect(messages == nil)
        #expect(notifications == nil)
        withExtendedLifetime((owner, tokens)) {}
    }

    @Test func aRetainedTokenRetainsNothingElseAfterItsEnd() {
        weak var released: NotificationCenter?
        let token: ObservationToken
        do {
            let target = NotificationCenter()
            released = target
            token = center.forward(Step.self, to: target)
        }
        #expect(center.post(Step(1)) == 1)
        #expect(released != nil)
        token.cancel()
        #expect(released == nil)
    }

    @Test func aForwardingEndsWithItsMessageCenter() {
        var center: MessageCenter? = MessageCenter()
        let token = center?.forward(Step.notificationName, from: foundation, as: Step.self) {
            [log] in
            log(1)
            return Step($0)
        }
        foundation.post(1)
        center = nil
        foundation.post(2)
        #expect(log.all == [1])
        token?.cancel()
    }

    @Test func aRetainedForwardedNotificationRetainsNoCenter() {
        let kept = KeptNotification()
        let observer = foundation.addObserver(
            forName: Step.notificationName,
            object: nil,
            queue: nil
        ) { kept.keep($0) }
        weak var released: MessageCenter?
        do {
            let center = MessageCenter()
            released = center
            let token = center.forward(Step.self, to: foundation)
            center.post(Step(1))
            token.cancel()
        }
        #expect(released == nil)
        kept.postAgain(on: foundation)
        foundation.removeObserver(observer)
    }

    /// A capture whose closure Foundation's center on Linux may release while holding a lock.
    @Test func aCaptureMayPostWhenItIsReleased() {
        let observer = foundation.observeSteps { [log] in log($0) }
        let token: ObservationToken
        do {
            let canary = Canary { [foundation] in foundation.post(7) }
            token = center.forward(Step.notificationName, from: foundation, as: Step.self) { _ in
                canary.touch()
                return nil
            }
        }
        token.cancel()
        #expect(log.all == [7])
        foundation.removeObserver(observer)
    }
}
