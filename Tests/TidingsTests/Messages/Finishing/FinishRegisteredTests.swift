// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting

private protocol Listening: AnyObject, Sendable {
    func hear(_ number: Int)
}

private final class Listener: Listening {
    let log = Log<Int>()

    func hear(_ number: Int) { log(number) }
}

/// Objects that are registered under a protocol when a center finishes.
@Suite(.timeLimit(.minutes(15)))
struct FinishRegisteredTests {
    private let center = MessageCenter()
    private let listener = Listener()

    private func notify(_ number: Int) -> Int {
        center.notify((any Listening).self) { $0.hear(number) }
    }

    @Test func m15_theyAreNotNotifiedAfterwards() throws {
        try center.register((any Listening).self, observer: listener)
        #expect(notify(1) == 1)
        center.finish()
        #expect(notify(2) == 0)
        #expect(center.notify((any Listening).self, on: .main) { $0.hear(3) } == 0)
        try center.register((any Listening).self, observer: listener)
        #expect(!center.isRegistered((any Listening).self, observer: listener))
        #expect(notify(4) == 0)
        center.unregister((any Listening).self, observer: listener)
        #expect(listener.log.all == [1])
    }

    @Test func m15_aNotificationInProgressIsCompleted() throws {
        let second = Listener()
        try center.register((any Listening).self, observer: listener)
        try center.register((any Listening).self, observer: second)
        let count = center.notify((any Listening).self) { [center] in
            center.finish()
            $0.hear(1)
        }
        #expect(count == 2)
        #expect(second.log.all == [1])
    }

    @MainActor @Test func m15_whatWaitsForTheMainActorIsToldUnlessUnregistered() async throws {
        let second = Listener()
        try center.register((any Listening).self, observer: listener)
        try center.register((any Listening).self, observer: second)
        let isFree = finishesOnAnotherThread { [center] in
            center.notify((any Listening).self, on: .main) { $0.hear(1) }
            center.finish()
        }
        #expect(isFree)
        center.unregister((any Listening).self, observer: second)
        try await center.waitForMainActorHandlers()
        #expect(listener.log.all == [1])
        #expect(second.log.all == [])
    }
}
