// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

/// Queued re-entrancy as a value: the deliveries of a thread, and the work that is pending then.
@Suite(.timeLimit(.minutes(15)))
struct TurnsTests {
    private final class Home {}

    private let one = Home()
    private let other = Home()
    private var first: ObjectIdentifier { ObjectIdentifier(one) }
    private var second: ObjectIdentifier { ObjectIdentifier(other) }

    /// Ends the innermost turn as a delivery does.
    ///
    /// All pending work runs, and so does all work that is added by it.
    private func end(_ turns: inout Turns) {
        while let waiting = turns.end() {
            for work in waiting { work() }
        }
    }

    @Test func aHomeHasATurnBetweenItsBeginAndItsEnd() {
        var turns = Turns()
        #expect(!turns.contains(first))
        turns.begin(first)
        #expect(turns.contains(first))
        #expect(!turns.contains(second))
        #expect(turns.end() == nil)
        #expect(!turns.contains(first))
    }

    @Test func m3_whatWaitsComesInOrderAndBeforeTheEnd() {
        var turns = Turns()
        let log = Log<Int>()
        turns.begin(first)
        for number in 1...3 { turns.append({ log(number) }, for: first) }
        let waiting = turns.end()
        #expect(turns.contains(first))
        for work in waiting ?? [] { work() }
        #expect(log.all == [1, 2, 3])
        #expect(turns.end() == nil)
        #expect(!turns.contains(first))
    }

    @Test func m3_whatIsAddedMeanwhileComesNext() {
        var turns = Turns()
        let log = Log<Int>()
        turns.begin(first)
        turns.append({ log(1) }, for: first)
        for work in turns.end() ?? [] { work() }
        turns.append({ log(2) }, for: first)
        #expect(log.all == [1])
        end(&turns)
        #expect(log.all == [1, 2])
    }

    @Test func turnsOfSeveralHomesNest() {
        var turns = Turns()
        let log = Log<String>()
        turns.begin(first)
        turns.append({ log("outer") }, for: first)
        turns.begin(second)
        #expect(turns.contains(first))
        #expect(turns.contains(second))
        turns.append({ log("inner") }, for: second)
        // This work is for the outer turn, appended within the inner turn.
        turns.append({ log("outer, later") }, for: first)
        end(&turns)
        #expect(log.all == ["inner"])
        #expect(!turns.contains(second))
        #expect(turns.contains(first))
        end(&turns)
        #expect(log.all == ["inner", "outer", "outer, later"])
        #expect(!turns.contains(first))
    }

    @Test func aTurnAfterAnotherBeginsWithNothing() {
        var turns = Turns()
        for _ in 0..<3 {
            turns.begin(first)
            turns.append({}, for: first)
            #expect(turns.end()?.count == 1)
            #expect(turns.end() == nil)
        }
    }

    @Test func workWithoutADeliveryIsMisuse() async {
        await #expect(processExitsWith: .failure) {
            var turns = Turns()
            turns.append({}, for: ObjectIdentifier(Home()))
        }
    }
}
