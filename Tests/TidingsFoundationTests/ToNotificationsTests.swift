// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFoundation

@Suite(.timeLimit(.minutes(15)))
struct ToNotificationsTests {
    private let center = MessageCenter()
    private let target = NotificationCenter()
    private let log = Log<String>()

    @Test func aMessageBecomesANotificationBeforeItsPostReturns() {
        let token = center.forward(Step.self, to: target)
        let here = ObjectIdentifier(Thread.current)
        let observer = target.observeSteps { [log] number in
            log("\(number) \(ObjectIdentifier(Thread.current) == here ? "here" : "elsewhere")")
        }
        #expect(center.post(Step(1)) == 1)
        #expect(log.all == ["1 here"])
        token.cancel()
        target.removeObserver(observer)
    }

    @Test func aMessageThatDoesNotConvertIsNotForwarded() {
        let token = center.forward(Step.self, to: target) { step in
            step.number == 1 ? nil : step.notification
        }
        let observer = target.observeSteps { [log] in log("\($0)") }
        center.post(Step(1))
        center.post(Step(2))
        #expect(log.all == ["2"])
        token.cancel()
        target.removeObserver(observer)
    }

    @Test func aForwardingRunsInPriorityOrderAmongTheHandlers() {
        let observer = target.observeSteps { [log] _ in log("Foundation") }
        let bag = ObservationBag()
        center.observe(Step.self) { [log] _ in log("first") }.store(in: bag)
        center.forward(Step.self, to: target).store(in: bag)
        center.observe(Step.self) { [log] _ in log("last") }.store(in: bag)
        center.forward(Step.self, to: target, priority: .high).store(in: bag)
        center.post(Step(1))
        #expect(log.all == ["Foundation", "first", "Foundation", "last"])
        bag.cancelAll()
        target.removeObserver(observer)
    }

    @Test func theConvertersNotificationIsPostedUnchanged() {
        let object = Owner()
        let observer = target.addObserver(
            forName: Step.notificationName,
            object: object,
            queue: nil
        ) { [log, object] notification in
            let isObject = notification.object as AnyObject === object
            log("\(notification.name.rawValue) \(isObject) \(Step(notification)?.number ?? 0)")
        }
        let token = center.forward(Step.self, to: target) { [object] step in
            var notification = step.notification
            notification.object = object
            return notification
        }
        center.post(Step(4))
        #expect(log.all == ["Step true 4"])
        token.cancel()
        target.removeObserver(observer)
    }
}
