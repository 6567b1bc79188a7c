// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct WaitGraphTests {
    /// Notes that call `number`, in the mailbox of the same number, waits for another mailbox.
    private func wait(_ number: UInt64, for other: UInt64, in graph: inout WaitGraph) -> Bool {
        graph.add(number, in: number, waitsFor: .mailbox(other))
    }

    @Test func aCallDoesNotWaitForItself() {
        var graph = WaitGraph()
        let waits = (
            graph.add(1, in: 7, waitsFor: .mailbox(7)), graph.add(1, in: 7, waitsFor: .call(1))
        )
        #expect(waits == (false, false))
        #expect(graph.isEmpty)
    }

    @Test func whoWouldCloseACircleDoesNotWait() {
        var graph = WaitGraph()
        let chain = [
            wait(1, for: 2, in: &graph), wait(2, for: 3, in: &graph), wait(3, for: 4, in: &graph),
        ]
        #expect(chain == [true, true, true])
        let closing = [
            wait(4, for: 1, in: &graph), wait(4, for: 2, in: &graph), wait(4, for: 4, in: &graph),
        ]
        #expect(closing == [false, false, false])
        let elsewhere = wait(4, for: 5, in: &graph)
        #expect(elsewhere)
    }

    @Test func callsOfOneMailboxMayWaitForEachOtherInOneDirection() {
        var graph = WaitGraph()
        let first = graph.add(1, in: 7, waitsFor: .call(2))
        let second = graph.add(2, in: 7, waitsFor: .call(1))
        #expect((first, second) == (true, false))
    }

    @Test func anEndedWaitLeavesNoTrace() {
        var graph = WaitGraph()
        _ = wait(1, for: 2, in: &graph)
        _ = wait(1, for: 2, in: &graph)
        graph.remove(1, waitsFor: .mailbox(2))
        let isClosing = wait(2, for: 1, in: &graph)
        #expect(!isClosing)
        graph.remove(1, waitsFor: .mailbox(2))
        #expect(graph.isEmpty)
        let isFree = wait(2, for: 1, in: &graph)
        #expect(isFree)
    }

    @Test func aCallThatDoesNotWaitEndsASearch() {
        var graph = WaitGraph()
        let waits = graph.add(1, in: 1, waitsFor: .call(99))
        #expect(waits)
        graph.remove(5, waitsFor: .call(1))
    }
}
