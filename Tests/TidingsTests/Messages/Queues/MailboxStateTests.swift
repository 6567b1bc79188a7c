// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct MailboxStateTests {
    private typealias State = Mailbox<Int>.State

    private let log = Log<String>()
    private let registration = ClosureRegistration<Int>(
        RegistrationSettings(home: Channel(), source: SourceLocation(fileID: #fileID, line: #line)),
        { _ in }
    )

    private func makeState(_ buffering: Buffering = .unbounded, concurrency: Int = 1) -> State {
        State(buffering, concurrency: concurrency) { _, _ in .called }
    }

    /// Adds a message and returns the worker to start.
    @discardableResult
    private func push(_ number: Int, to state: inout State) -> Int? {
        let entry = Mailbox<Int>.Entry(input: number, registration: registration)
        let action = state.push(entry, hasPlace: false)
        if let dropped = action.dropped { log("dropped \(dropped.input)") }
        return action.worker
    }

    /// Starts a call and returns the call with the message.
    private func begin(_ worker: Int, in state: inout State) -> (call: MailboxCall, input: Int)? {
        let call = MailboxCall(mailbox: 1, worker: worker)
        return state.begin(call).map { (call, $0.entry.input) }
    }

    @Test func oneWorkerIsStartedForManyMessages() {
        var state = makeState()
        let workers = (1...3).map { push($0, to: &state) }
        #expect(workers == [1, nil, nil])
        #expect(state.continues(1).step != nil)
        #expect(begin(1, in: &state)?.input == 1)
        #expect(state.calls.count == 1)
        #expect(state.bufferState.count == 2)
    }

    @Test func aWorkerWithNothingToDoLeavesAndAnotherComes() {
        var state = makeState()
        push(1, to: &state)
        _ = begin(1, in: &state)
        _ = state.end(1)
        #expect(state.continues(1).step == nil)
        #expect(push(2, to: &state) == 2)
        #expect(state.continues(1).step == nil)
        #expect(state.continues(2).step != nil)
    }

    @Test func thereAreAsManyWorkersAsTheLimitSays() {
        var state = makeState(concurrency: 2)
        let first = push(1, to: &state)
        let second = push(2, to: &state)
        let third = push(3, to: &state)
        #expect([first, second, third] == [1, 2, nil])
        let inputs = [begin(1, in: &state)?.input, begin(2, in: &state)?.input]
        #expect(inputs == [1, 2])
        #expect(state.calls.count == 2)
    }

    @Test func aWorkerThatHasNothingYetIsEnough() {
        var state = makeState(concurrency: 4)
        push(1, to: &state)
        _ = begin(1, in: &state)
        #expect(push(2, to: &state) == 2)
        _ = state.end(1)
        // The first worker has nothing to do now, and the second has not started.
        #expect(push(3, to: &state) == nil)
        #expect(push(4, to: &state) == 3)
    }

    @Test(arguments: [(Buffering.newest(2), [3, 4, 5]), (.oldest(2), [1, 2, 3])])
    func whatAWorkerComesForTakesNobodysPlace(buffering: Buffering, kept: [Int]) {
        var state = makeState(buffering)
        for number in 1...5 { push(number, to: &state) }
        #expect(state.bufferState.dropped == 2)
        #expect(log.all.count == 2)
        var inputs: [Int] = []
        while let (_, input) = begin(1, in: &state) {
            inputs.append(input)
            _ = state.end(1)
        }
        #expect(inputs == kept)
    }

    @Test func closingLeavesWhatWaitsAndKeepsTheHandlerForIt() {
        var state = makeState()
        push(1, to: &state)
        let whileBusy = state.close()
        #expect(whileBusy.released == nil)
        #expect(push(2, to: &state) == nil)
        #expect(log.all == ["dropped 2"])
        #expect(begin(1, in: &state)?.input == 1)
        #expect(state.end(1) == nil)
        let last = state.continues(1)
        #expect(last.step == nil)
        #expect(last.released != nil)
    }

    @Test func closingAnIdleOneReleasesTheHandler() {
        var state = makeState()
        #expect(state.close().released != nil)
    }

    @Test func discardingDropsWhatWaitsAndCancelsWhatRuns() {
        var state = makeState(concurrency: 2)
        for number in 1...4 { push(number, to: &state) }
        for worker in 1...2 {
            let isWanted = state.adopt(worker) { [log] in log("cancel \(worker)") }
            #expect(isWanted)
        }
        _ = begin(1, in: &state)
        var action = state.discard()
        for cancel in action.cancels { cancel() }
        #expect(log.all == ["cancel 1", "cancel 2"])
        var dropped: [Int] = []
        while let entry = action.entries.popFirst() { dropped.append(entry.input) }
        #expect(dropped == [2, 3, 4])
        #expect(action.released == nil)
        // The second worker had not started and does not start now.
        #expect(state.continues(2).step == nil)
        #expect(begin(2, in: &state) == nil)
        let released = state.end(1)
        #expect(released != nil)
        #expect(state.continues(1).step == nil)
    }

    @Test func aTaskThatComesTooLateIsCancelledAtOnce() {
        var state = makeState()
        push(1, to: &state)
        _ = state.discard()
        let isWanted = state.adopt(1) {}
        #expect(!isWanted)
    }

    @Test func theNextPosterGetsThePlaceOfAMessageThatIsTaken() {
        var state = makeState(.oldest(1))
        push(1, to: &state)
        let promise = state.bufferState.promise(to: WaitingPoster(id: 9) { _ in })
        #expect(promise == .later)
        let poster = state.begin(MailboxCall(mailbox: 1, worker: 1))?.poster
        #expect(poster?.id == 9)
    }
}
