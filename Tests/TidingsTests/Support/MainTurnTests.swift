// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct MainTurnTests {
    private let channel = Channel()
    private let queue = MainQueue()
    private let log = Log<Int>()

    private func registration(_ flags: RegistrationFlags) -> Registration {
        let settings = RegistrationSettings(
            home: channel,
            flags: flags.union(.main),
            source: SourceLocation(fileID: #fileID, line: #line),
            mainBuffer: MainActorBuffer(.unbounded)
        )
        return ClosureRegistration<Int>(settings) { [log] in log($0) }
    }

    @MainActor @Test func m3_whatWaitedBehindAReplayComesBeforeALaterPost() throws {
        let (first, replayed) = (registration([]), registration(.gated))
        var turn = MainTurn(queue, home: channel)
        _ = try turn.deliver(1, to: first)
        // The thread that replays finishes the replay only now.
        let isFree = finishesOnAnotherThread { [queue, channel] in
            var turn = MainTurn(queue, home: channel)
            _ = try? turn.deliver(2, to: replayed)
        }
        #expect(isFree)
        _ = try turn.deliver(3, to: replayed)
        #expect(log.all == [1, 2, 3])
    }
}
