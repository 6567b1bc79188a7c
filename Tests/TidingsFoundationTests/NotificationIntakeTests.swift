// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsFoundation

/// Foundation's center alone keeps an intake, so one that is gone was taken out.
@Suite(.timeLimit(.minutes(5)))
struct NotificationIntakeTests {
    private let source = NotificationCenter()
    private let site = ForwardingSite(fileID: #fileID, line: #line)

    private func open(
        _ intake: NotificationIntake,
        to target: MessageCenter,
        owner: Owner? = nil
    ) -> ObservationToken {
        intake.open(Step.notificationName, to: target, at: site) { arrivals, conversion in
            guard let owner else {
                return arrivals.observe(NotificationIntake.Arrival.self) {
                    conversion.forward($0) { Step($0) }
                }
            }
            return arrivals.observe(NotificationIntake.Arrival.self, owner: owner) {
                conversion.forward($1) { Step($0) }
            }
        }
    }

    @Test func isTakenOutWhenItsTokenIsCancelled() {
        let target = MessageCenter()
        weak var released: NotificationIntake?
        let token: ObservationToken
        do {
            let intake = NotificationIntake(from: source, about: nil)
            released = intake
            token = open(intake, to: target)
        }
        #expect(released != nil)
        token.cancel()
        #expect(released == nil)
    }

    @Test func isTakenOutByTheFirstNotificationAfterItsOwnersDeath() {
        let target = MessageCenter()
        weak var released: NotificationIntake?
        do {
            let (owner, intake) = (Owner(), NotificationIntake(from: source, about: nil))
            released = intake
            _ = open(intake, to: target, owner: owner)
            source.post(1)
        }
        #expect(released != nil)
        source.post(2)
        #expect(released == nil)
    }

    @Test func isTakenOutByTheFirstNotificationAfterItsTargetsDeath() {
        weak var released: NotificationIntake?
        let token: ObservationToken
        do {
            let (target, intake) = (MessageCenter(), NotificationIntake(from: source, about: nil))
            released = intake
            token = open(intake, to: target)
            source.post(1)
        }
        #expect(released != nil)
        source.post(2)
        #expect(released == nil)
        token.cancel()
    }

    @Test func isTakenOutByTheFirstNotificationAfterItsObjectsDeath() {
        let target = MessageCenter()
        weak var released: NotificationIntake?
        let token: ObservationToken
        do {
            let object = Owner()
            let intake = NotificationIntake(from: source, about: object)
            released = intake
            token = open(intake, to: target)
            source.post(1)
        }
        #expect(released != nil)
        source.post(2)
        #expect(released == nil)
        token.cancel()
    }
}
