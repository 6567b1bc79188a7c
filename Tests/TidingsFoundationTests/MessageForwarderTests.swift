// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsFoundation

@Suite(.timeLimit(.minutes(15)))
struct MessageForwarderTests {
    private let source = MessageCenter()
    private let target = NotificationCenter()
    private let forwarder: MessageForwarder

    init() {
        forwarder = MessageForwarder(from: source, to: target)
    }

    @Test func aPathPassesNoCenterTwice() {
        let path = ForwardingPath(from: source)
        #expect(path.extended(to: source) == nil)
        #expect(path.extended(to: target)?.extended(to: source) == nil)
        #expect(path.extended(to: target)?.extended(to: MessageCenter()) != nil)
    }

    @Test func rejectsAMessageThatHasPassedItsTarget() throws {
        let path = try #require(ForwardingPath(from: target).extended(to: source))
        #expect(!forwarder.accepts(ForwardedSubject(path)))
        #expect(forwarder.accepts(ForwardedSubject(ForwardingPath(from: source))))
        #expect(forwarder.accepts(Owner()))
        #expect(forwarder.accepts(nil))
    }

    @Test func aForwardedNotificationContinuesThePathOfItsMessage() {
        let elsewhere = NotificationCenter()
        let receiver = NotificationForwarder(from: target, about: nil)
        let paths = Log<ForwardingPath?>()
        _ = target.addObserver(forName: Step.notificationName, object: nil, queue: nil) {
            var notification = $0
            paths(ForwardingTag.remove(from: &notification, at: receiver))
        }
        #expect(forwarder.accepts(ForwardedSubject(ForwardingPath(from: elsewhere))))
        forwarder.forward(to: target) { Step(1).notification }
        let path = paths.all.first.flatMap { $0 }
        #expect(path != nil)
        #expect(path?.extended(to: elsewhere) == nil)
        #expect(path?.extended(to: target) == nil)
    }

    @Test func aPendingPathBelongsToItsThread() {
        let elsewhere = NotificationCenter()
        let receiver = NotificationForwarder(from: target, about: nil)
        let fresh = Log<Bool>()
        _ = target.addObserver(forName: Step.notificationName, object: nil, queue: nil) {
            var notification = $0
            let path = ForwardingTag.remove(from: &notification, at: receiver)
            fresh(path?.extended(to: elsewhere) != nil)
        }
        #expect(forwarder.accepts(ForwardedSubject(ForwardingPath(from: elsewhere))))
        let done = DispatchSemaphore(value: 0)
        Thread { [forwarder, target] in
            forwarder.forward(to: target) { Step(1).notification }
            done.signal()
        }.start()
        done.wait()
        forwarder.forward(to: target) { Step(2).notification }
        forwarder.forward(to: target) { Step(3).notification }
        #expect(fresh.all == [true, false, true])
    }
}
