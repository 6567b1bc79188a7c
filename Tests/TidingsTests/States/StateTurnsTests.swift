// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct StateTurnsTests {
    private let turns = Machine(StateTurns())

    @Test func oneThreadAtATimeDelivers() {
        #expect(turns { $0.begin(1) })
        #expect(!turns { $0.begin(2) })
        #expect(!turns { $0.begin(1) })
        #expect(turns { $0.isTaken(by: 2) })
        #expect(!turns { $0.isTaken(by: 1) })
        #expect(!turns { $0.end() })
        #expect(turns { $0.begin(2) })
    }

    @Test func whatWaitsIsTakenInOneDelivery() {
        #expect(!turns { $0.beginRounds(1) })
        turns { $0.queue() }
        turns { $0.queue() }
        #expect(turns { $0.beginRounds(1) })
        #expect(!turns { $0.beginRounds(2) })
        #expect(turns { $0.next() })
        #expect(turns { $0.next() })
        #expect(turns { $0.isTaken(by: 2) })
        #expect(!turns { $0.next() })
        #expect(!turns { $0.isTaken(by: 2) })
    }

    @Test func nothingIsToldDirectlyWhileSomethingOlderWaits() {
        turns { _ = $0.begin(1) }
        turns { $0.queue() }
        #expect(turns { $0.end() })
        #expect(!turns { $0.beginDirectly(2) })
        #expect(turns { $0.beginRounds(1) })
        #expect(turns { $0.next() })
        #expect(turns { !$0.next() })
        #expect(turns { $0.beginDirectly(2) })
    }

    @Test func whoEndsLearnsThatARoundWaits() {
        turns { _ = $0.begin(1) }
        turns { $0.queue() }
        #expect(turns { $0.end() })
        #expect(turns { $0.beginRounds(2) })
    }
}
