// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@testable import Tidings

private struct Refusal: Error {}

@Suite(.timeLimit(.minutes(15)))
struct SelectionTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    @Test func theOrderOfTheOptionsChangesNothing() {
        let album = Owner()
        let pings = center.messages(of: Ping.self)
        pings.about(album).where { $0.number > 1 }.priority(.high).removingDuplicates()
            .observe { [log] in log("a\($0.number)") }.store(in: bag)
        pings.removingDuplicates().priority(.low).where { $0.number > 1 }.about(album)
            .observe { [log] in log("b\($0.number)") }.store(in: bag)
        for number in [1, 2, 2, 3] { center.post(Ping(number: number), about: album) }
        center.post(Ping(number: 4))
        #expect(log.all == ["a2", "b2", "a3", "b3"])
    }

    @Test func anElementPassesEveryFilter() {
        center.messages(of: Ping.self).where { $0.number > 1 }.where { $0.number < 4 }
            .observe { [log] in log("\($0.number)") }.store(in: bag)
        for number in 1...4 { center.post(Ping(number: number)) }
        #expect(log.all == ["2", "3"])
    }

    @Test func observationsOfOneSelectionAreIndependent() {
        let first = center.messages(of: Ping.self).once().removingDuplicates()
        let tokens = [
            first.observe { [log] in log("a\($0.number)") },
            first.observe { [log] in log("b\($0.number)") },
        ]
        center.post(Ping(number: 1))
        #expect(log.all == ["a1", "b1"])
        first.observe { [log] in log("c\($0.number)") }.store(in: bag)
        center.post(Ping(number: 1))
        #expect(log.all == ["a1", "b1", "c1"])
        withExtendedLifetime(tokens) {}
    }

    @Test func aBufferGivesASynchronousHandlerAMailbox() async {
        let token = center.messages(of: Ping.self).buffering(.newest(1)).observe { [log] in
            log("\($0.number)")
        }
        #expect(center.observations().map(\.observation.kind.description) == ["async handler"])
        #expect(await center.postAndWait(Ping(number: 1)).recipients == 1)
        #expect(log.all == ["1"])
        token.cancel()
    }

    @Test func aBufferGivesAnOwnersHandlerAMailbox() async {
        weak var released: Owner?
        do {
            let owner = Owner()
            released = owner
            center.messages(of: Ping.self).concurrency(2).observe(owner: owner) { owner, message in
                owner.log(message.number)
            }
            await center.postAndWait(Ping(number: 1))
            #expect(owner.log.all == [1])
        }
        #expect(released == nil)
        #expect(center.post(Ping()) == 0)
    }

    @Test func anExecutorRunsTheHandler() async throws {
        let pool = OneThread()
        let token = center.messages(of: Ping.self).observe(on: pool) { [log] in
            log("\($0.number) \(OneThread.isCurrent)")
        }
        for number in 1...3 { center.post(Ping(number: number)) }
        await center.postAndWait(Ping(number: 4))
        #expect(log.all == ["1 true", "2 true", "3 true", "4 true"])
        token.cancel()
    }

    @Test func aSelectionKeepsItsCenterAndAnObservationDoesNot() {
        weak var gone: MessageCenter?
        var selection: Selection<Ping>?
        var token: ObservationToken?
        var values: ObservationSequence<Ping>?
        do {
            let center = MessageCenter()
            gone = center
            selection = center.messages(of: Ping.self)
            token = selection?.observe { _ in }
            values = selection?.values
        }
        #expect(gone != nil)
        selection = nil
        #expect(gone == nil)
        withExtendedLifetime((token, values)) {}
    }

    // MARK: States

    @Test func statesTakeTheSameOptions() async throws {
        let publisher = StatePublisher<Int>()
        publisher.states.where { !$0.isLoading }.removingDuplicates().observe { [log] state in
            log("\(state.value ?? 0)")
        }.store(in: bag)
        publisher.startLoading()
        publisher.updateData(1)
        publisher.updateData(1)
        publisher.updateData(2)
        #expect(log.all == ["0", "1", "2"])
        let next = publisher.states.where { $0.value == 3 }.next()
        publisher.updateData(3)
        #expect(try await next.value.value == 3)
    }

    @Test func onceOfAStateIsTheCurrentOne() {
        let publisher = StatePublisher<Int>()
        publisher.updateData(1)
        publisher.states.once().observe { [log] in log("\($0.value ?? 0)") }.store(in: bag)
        publisher.updateData(2)
        #expect(log.all == ["1"])
    }

    @Test func aMailboxReceivesEveryStateInOrder() async throws {
        let publisher = StatePublisher<Int>()
        let done = Gate()
        let token = publisher.states.observe { [log] state async in
            await Task.yield()
            log("\(state.value ?? 0)")
            if state.value == 3 { done.open() }
        }
        for number in 1...3 { publisher.updateData(number) }
        try await done.wait()
        #expect(log.all == ["0", "1", "2", "3"])
        token.cancel()
    }

    @Test func m16_theErrorOfAStatesHandlerGoesToTheDefaultCenter() {
        let publisher = StatePublisher<Int>()
        let hook = MessageCenter.default.addErrorHook { [log] failure in
            if failure.error is Refusal { log("refused") }
        }
        let token = publisher.observe { state in
            if state.value == 1 { throw Refusal() }
        }
        publisher.updateData(1)
        publisher.updateData(2)
        #expect(log.all == ["refused"])
        token.cancel()
        hook.cancel()
    }
}
