// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFoundation
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct FromNotificationsTests {
    private let center = MessageCenter()
    private let source = NotificationCenter()
    private let recorder: MessageRecorder<Step>

    init() {
        recorder = MessageRecorder(Step.self, on: center)
    }

    private var numbers: [Int] { recorder.messages.map(\.number) }

    @Test func aNotificationBecomesAMessageBeforeItsPostReturns() {
        let token = center.forward(Step.self, from: source)
        source.post(1)
        source.post(2)
        #expect(numbers == [1, 2])
        token.cancel()
    }

    @Test func theClosureAndTheHandlersRunOnTheThreadThatPosts() {
        let threads = Log<ObjectIdentifier>()
        let token = center.forward(Step.notificationName, from: source) { notification in
            threads(ObjectIdentifier(Thread.current))
            return Step(notification)
        }
        let observation = center.observe(Step.self) { _ in
            threads(ObjectIdentifier(Thread.current))
        }
        source.post(1)
        let here = ObjectIdentifier(Thread.current)
        #expect(threads.all == [here, here])
        token.cancel()
        observation.cancel()
    }

    @Test func aNotificationThatDoesNotConvertIsNotForwarded() {
        let token = center.forward(Step.self, from: source)
        source.post(Notification(name: Step.notificationName))
        source.post(Notification(name: Notification.Name("Other"), userInfo: ["number": 1]))
        source.post(2)
        #expect(numbers == [2])
        token.cancel()
    }

    @Test func theConverterSeesTheNotificationAsItWasPosted() {
        let seen = Log<String>()
        let token = center.forward(Step.notificationName, from: source, as: Step.self) {
            seen("\($0.name.rawValue) \($0.userInfo as? [String: Int] ?? [:])")
            return nil
        }
        source.post(3)
        #expect(seen.all == [#"Step ["number": 3]"#])
        token.cancel()
    }

    @Test func anObjectFilterMatchesThatObjectWhileItLives() {
        let other = Owner()
        let token: ObservationToken
        do {
            let object = Owner()
            token = center.forward(Step.self, from: source, object: object)
            source.post(name: Step.notificationName, object: object, userInfo: ["number": 1])
            source.post(name: Step.notificationName, object: other, userInfo: ["number": 2])
            source.post(3)
        }
        for number in 4..<100 {
            let object = Owner()
            source.post(name: Step.notificationName, object: object, userInfo: ["number": number])
        }
        #expect(numbers == [1])
        token.cancel()
    }

    @Test func cancellingTwiceRemovesNoOtherObserver() {
        let token = center.forward(Step.self, from: source)
        token.cancel()
        let log = Log<Int>()
        let observers = (0..<10).map { _ in source.observeSteps { log($0) } }
        token.cancel()
        source.post(1)
        #expect(log.all.count == 10)
        #expect(numbers.isEmpty)
        for observer in observers { source.removeObserver(observer) }
    }

    @Test func aForwardingCancelledDuringAPostForwardsNothing() {
        let bag = ObservationBag()
        for _ in 0..<8 {
            center.forward(Step.self, from: source).store(in: bag)
        }
        let observation = center.observe(Step.self) { [bag] _ in bag.cancelAll() }
        source.post(1)
        #expect(numbers == [1])
        observation.cancel()
    }

    @Test func aForwardingCalledAfterItsEndRemovesNoOtherObserver() {
        let (bag, log) = (ObservationBag(), Log<Int>())
        for _ in 0..<8 {
            center.forward(Step.self, from: source).store(in: bag)
        }
        let observation = center.observe(Step.self) { [bag, source] _ in
            bag.cancelAll()
            for _ in 0..<10 { _ = source.observeSteps { log($0) } }
        }
        source.post(1)
        observation.cancel()
        source.post(2)
        #expect(log.all == Array(repeating: 2, count: 10))
    }

    @Test func aConverterThatCancelsItsOwnForwardingForwardsNothing() {
        let bag = ObservationBag()
        center.forward(Step.notificationName, from: source, as: Step.self) { [bag] in
            bag.cancelAll()
            return Step($0)
        }.store(in: bag)
        source.post(1)
        #expect(numbers.isEmpty)
    }

    @Test func aNotificationPostedInsideAHandlerIsConvertedAtOnce() {
        let log = Log<String>()
        let token = center.forward(Step.notificationName, from: source) { notification in
            let step = Step(notification)
            log("converts \(step?.number ?? 0)")
            return step
        }
        let observation = center.observe(Step.self) { [source] step in
            guard step.number == 1 else { return }
            source.post(2)
            log("has posted 2")
        }
        source.post(1)
        #expect(log.all == ["converts 1", "converts 2", "has posted 2"])
        #expect(numbers == [1, 2])
        token.cancel()
        observation.cancel()
    }

    @Test func aNotificationPostedInsideAHandlerIsDeliveredAfterIt() {
        let token = center.forward(Step.self, from: source)
        let log = Log<String>()
        let observation = center.observe(Nudge.self) { [source] _ in
            source.post(1)
            log("posted")
        }
        let steps = center.observe(Step.self) { _ in log("step") }
        center.post(Nudge())
        #expect(log.all == ["posted", "step"])
        token.cancel()
        observation.cancel()
        steps.cancel()
    }
}
