// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsFoundation

@Suite(.timeLimit(.minutes(5)))
struct NotificationOutletTests {
    private let source = MessageCenter()
    private let target = NotificationCenter()
    private let outlet: NotificationOutlet

    init() {
        outlet = NotificationOutlet(from: source, to: target)
    }

    @Test func aPathPassesNoCenterTwice() {
        let path = ForwardingPath(from: source)
        #expect(path.extended(to: source) == nil)
        #expect(path.extended(to: target)?.extended(to: source) == nil)
        #expect(path.extended(to: target)?.extended(to: MessageCenter()) != nil)
    }

    @Test func refusesWhatHasBeenOnItsTarget() throws {
        let path = try #require(ForwardingPath(from: target).extended(to: source))
        #expect(!outlet.admits(ForwardedMessage(path)))
        #expect(outlet.admits(ForwardedMessage(ForwardingPath(from: source))))
        #expect(outlet.admits(Owner()))
        #expect(outlet.admits(nil))
    }

    @Test func whatItForwardsHasBeenWhereTheMessageWas() {
        let elsewhere = NotificationCenter()
        let intake = NotificationIntake(from: target, about: nil)
        let paths = Log<ForwardingPath?>()
        _ = target.addObserver(forName: Step.notificationName, object: nil, queue: nil) {
            var notification = $0
            paths(ForwardingMark.take(from: &notification, at: intake))
        }
        #expect(outlet.admits(ForwardedMessage(ForwardingPath(from: elsewhere))))
        outlet.forward(to: target) { Step(1).notification }
        let path = paths.all.first.flatMap { $0 }
        #expect(path != nil)
        #expect(path?.extended(to: elsewhere) == nil)
        #expect(path?.extended(to: target) == nil)
    }

    @Test func whatOneThreadIsAboutToDeliverIsNothingToAnother() {
        let elsewhere = NotificationCenter()
        let intake = NotificationIntake(from: target, about: nil)
        let fresh = Log<Bool>()
        _ = target.addObserver(forName: Step.notificationName, object: nil, queue: nil) {
            var notification = $0
            let path = ForwardingMark.take(from: &notification, at: intake)
            fresh(path?.extended(to: elsewhere) != nil)
        }
        #expect(outlet.admits(ForwardedMessage(ForwardingPath(from: elsewhere))))
        let done = DispatchSemaphore(value: 0)
        Thread { [outlet, target] in
            outlet.forward(to: target) { Step(1).notification }
            done.signal()
        }.start()
        done.wait()
        outlet.forward(to: target) { Step(2).notification }
        outlet.forward(to: target) { Step(3).notification }
        #expect(fresh.all == [true, false, true])
    }
}
