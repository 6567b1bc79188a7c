// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct ObservationBufferStateTests {
    private let layout = LayoutOf<Int>()
    private let woken = Log<String>()

    private func makeState(_ buffering: Buffering) -> ObservationBuffer.State {
        ObservationBuffer.State(buffering, of: layout)
    }

    private func push(_ values: [Int], to state: inout ObservationBuffer.State) {
        for value in values {
            Incoming.with(value) {
                if case .wake(let reader) = state.push($0, hasPlace: false) { reader() }
            }
        }
    }

    /// Returns the values that a reader gets before waiting.
    private func read(_ state: inout ObservationBuffer.State) -> [Int] {
        var inbox = ValueRing(layout)
        var values: [Int] = []
        while case .read = state.take(into: &inbox) {
            while let value = inbox.popFirst(as: Int.self) { values.append(value) }
        }
        return values
    }

    private func isAtEnd(_ state: inout ObservationBuffer.State) -> Bool {
        var inbox = ValueRing(layout)
        if case .end = state.take(into: &inbox) { return true }
        return false
    }

    @Test(arguments: [
        (Buffering.newest(3), [8, 9, 10], 7),
        (.oldest(3), [1, 2, 3], 7),
        (.newest(1), [10], 9),
        (.oldest(1), [1], 9),
        (.unbounded, Array(1...10), 0),
    ])
    func keepsWhatItsBufferingSays(buffering: Buffering, kept: [Int], dropped: Int) {
        var state = makeState(buffering)
        push(Array(1...10), to: &state)
        let pending = state.bufferState.count
        #expect(pending == kept.count)
        let lost = state.bufferState.dropped
        #expect(lost == dropped)
        let values = read(&state)
        #expect(values == kept)
        let left = state.bufferState.count
        #expect(left == 0)
    }

    @Test func aBoundedOneHandsOutOneAtATime() {
        var state = makeState(.newest(2))
        var inbox = ValueRing(layout)
        push([1, 2], to: &state)
        _ = state.take(into: &inbox)
        let count = inbox.count
        #expect(count == 1)
        push([3, 4], to: &state)
        let first = inbox.popFirst(as: Int.self)
        #expect(first == 1)
        let values = read(&state)
        #expect(values == [3, 4])
        let lost = state.bufferState.dropped
        #expect(lost == 1)
    }

    @Test func aReaderThatWaitsIsWokenOnce() {
        var state = makeState(.unbounded)
        let isWaiting = state.park { [woken] in woken("woken") }
        #expect(isWaiting)
        push([1, 2], to: &state)
        #expect(woken.all == ["woken"])
        let values = read(&state)
        #expect(values == [1, 2])
    }

    @Test func whatWokeAReaderTakesNobodysPlace() {
        var state = makeState(.oldest(1))
        _ = state.park {}
        push([1, 2, 3], to: &state)
        let values = read(&state)
        #expect(values == [1, 2])
        let lost = state.bufferState.dropped
        #expect(lost == 1)
        push([4, 5], to: &state)
        let rest = read(&state)
        #expect(rest == [4])
    }

    @Test func nobodyWaitsWhereThereIsSomethingToRead() {
        var state = makeState(.unbounded)
        push([1], to: &state)
        let isWaiting = state.park {}
        #expect(!isWaiting)
    }

    @Test func closingLeavesWhatIsBuffered() {
        var state = makeState(.unbounded)
        push([1, 2], to: &state)
        _ = state.close(discarding: false)
        push([3], to: &state)
        let values = read(&state)
        #expect(values == [1, 2])
        let isEnded = isAtEnd(&state)
        #expect(isEnded)
        let isWaiting = state.park {}
        #expect(!isWaiting)
    }

    @Test func discardingLeavesNothing() {
        var state = makeState(.newest(3))
        push([1, 2], to: &state)
        _ = state.close(discarding: true)
        let left = state.bufferState.count
        #expect(left == 0)
        let isEnded = isAtEnd(&state)
        #expect(isEnded)
    }

    @Test func closingWakesTheReaderAndThosePostersThatWait() {
        var state = makeState(.oldest(1))
        let reading = state.park { [woken] in woken("reader") }
        #expect(reading)
        push([1], to: &state)
        let isPromised = state.bufferState.promise(to: WaitingPoster(id: 7) { _ in })
        #expect(isPromised == .later)
        let action = state.close(discarding: false)
        #expect(action.reader == nil)
        #expect(action.posters.map(\.id) == [7])
        #expect(woken.all == ["reader"])
    }

    @Test func readingGivesThePlaceToThePosterThatWaits() {
        var state = makeState(.oldest(1))
        push([1], to: &state)
        _ = state.bufferState.promise(to: WaitingPoster(id: 7) { _ in })
        var inbox = ValueRing(layout)
        guard case .read(let poster) = state.take(into: &inbox) else {
            Issue.record("there is something to read")
            return
        }
        #expect(poster?.id == 7)
        push([2], to: &state)
        let lost = state.bufferState.dropped
        #expect(lost == 1)
        Incoming.with(3) { _ = state.push($0, hasPlace: true) }
        let values = read(&state)
        #expect(values == [3])
    }
}
