// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

/// Several iterators of one sequence.
@Suite(.timeLimit(.minutes(15)))
struct SequenceIteratorTests {
    private typealias Iterator = ObservationSequence<Ping>.Iterator

    private let center = MessageCenter()

    private func post(_ numbers: ClosedRange<Int>) {
        for number in numbers { center.post(Ping(number: number)) }
    }

    /// Returns the messages of an iterator until the end.
    private func drain(_ iterator: consuming Iterator) async -> [Int] {
        var numbers: [Int] = []
        while let message = await iterator.next() { numbers.append(message.number) }
        return numbers
    }

    @Test func m14_aFurtherIteratorStartsWithABufferOfItsOwn() async {
        let messages = center.messages(of: Ping.self).values
        post(1...1)
        let first = messages.makeAsyncIterator()
        post(2...2)
        let second = messages.makeAsyncIterator()
        post(3...3)
        messages.cancel()
        #expect(await drain(first) == [1, 2, 3])
        #expect(await drain(second) == [3])
    }

    @Test func m14_aSecondLoopOverOneSequenceStartsWhenItBegins() async throws {
        let messages = center.messages(of: Ping.self).values
        post(1...2)
        for await message in messages {
            #expect(message.number == 1)
            break
        }
        #expect(center.count(of: Ping.self) == 0)
        let begun = Gate()
        let presence = center.whileObserved(Ping.self, start: { begun.open() }, stop: {})
        let reader = Task {
            for await message in messages { return message.number }
            return 0
        }
        try await begun.wait()
        post(3...3)
        #expect(await reader.value == 3)
        presence.cancel()
    }

    @Test(arguments: [0, 1])
    func m15_droppingOneIteratorEndsOnlyThatOne(dropped: Int) async throws {
        let messages = center.messages(of: Ping.self).values
        var iterators: [Iterator?] = [messages.makeAsyncIterator(), messages.makeAsyncIterator()]
        post(1...1)
        #expect(center.count(of: Ping.self) == 2)
        iterators[dropped] = nil
        #expect(center.count(of: Ping.self) == 1)
        post(2...2)
        messages.cancel()
        let kept = try #require(iterators[1 - dropped])
        #expect(await drain(kept) == [1, 2])
    }

    @Test func m15_cancellingOneReaderEndsOnlyThatOne() async {
        let messages = center.messages(of: Ping.self).values
        let other = messages.makeAsyncIterator()
        let reader = Task { for await _ in messages {} }
        reader.cancel()
        await reader.value
        #expect(center.count(of: Ping.self) == 1)
        post(1...1)
        messages.cancel()
        #expect(await drain(other) == [1])
    }

    @Test func m15_finishEndsAllIteratorsAfterWhatIsBuffered() async {
        let messages = center.messages(of: Ping.self).values
        let (first, second) = (messages.makeAsyncIterator(), messages.makeAsyncIterator())
        post(1...2)
        center.finish()
        let late = messages.makeAsyncIterator()
        #expect(await drain(first) == [1, 2])
        #expect(await drain(second) == [1, 2])
        #expect(await drain(late) == [])
    }

    private func figures(_ messages: ObservationSequence<Ping>) -> [Int] {
        [messages.pending, messages.dropped]
    }

    @Test func itsFiguresAreThoseOfAllIteratorsTogether() async {
        let messages = center.messages(of: Ping.self).buffering(.newest(2)).values
        post(1...3)
        #expect(figures(messages) == [2, 1])
        var first: Iterator? = messages.makeAsyncIterator()
        let second = messages.makeAsyncIterator()
        #expect(figures(messages) == [2, 1])
        post(4...7)
        #expect(figures(messages) == [4, 7])
        let read = await first?.next()
        #expect(read?.number == 6)
        #expect(figures(messages) == [3, 7])
        first = nil
        #expect(figures(messages) == [2, 7])
        withExtendedLifetime(second) {}
    }

    @Test func aFurtherIteratorHasTheOptionsOfItsSequence() async {
        let (album, other) = (Owner(), Owner())
        let messages = center.messages(of: Ping.self).about(album).where { $0.number % 2 == 0 }
            .replaying(.last(1)).values
        let first = messages.makeAsyncIterator()
        center.post(Ping(number: 2), about: album, options: [.retained])
        let second = messages.makeAsyncIterator()
        center.post(Ping(number: 4), about: other)
        center.post(Ping(number: 5), about: album)
        center.post(Ping(number: 6), about: album)
        messages.cancel()
        #expect(await drain(first) == [2, 6])
        #expect(await drain(second) == [2, 6])
    }

    @Test func afterItsEndASequenceHasOnlyIteratorsAtTheirEnd() async {
        let cancelled = center.messages(of: Ping.self).values
        let first = cancelled.makeAsyncIterator()
        cancelled.cancel()
        #expect(await drain(cancelled.makeAsyncIterator()) == [])
        #expect(await drain(first) == [])
        let orphan = MessageCenter().messages(of: Ping.self).values
        #expect(await drain(orphan.makeAsyncIterator()) == [])
        #expect(await drain(orphan.makeAsyncIterator()) == [])
    }

    @Test func aFurtherIteratorOfStatesStartsWithTheCurrentOne() async {
        let publisher = StatePublisher<Int>()
        let states = publisher.states.values
        var first = states.makeAsyncIterator()
        publisher.updateData(1)
        var second = states.makeAsyncIterator()
        publisher.updateData(2)
        for expected in ["unknown", "loaded 1", "loaded 2"] {
            let state = await first.next()
            #expect(state.map { text($0) } == expected)
        }
        for expected in ["loaded 1", "loaded 2"] {
            let state = await second.next()
            #expect(state.map { text($0) } == expected)
        }
    }

    private func name(
        _ iterator: inout ObservationSequence<DeliveryRecord>.Iterator
    ) async -> String? {
        await iterator.next()?.name
    }

    @Test func aFurtherIteratorOfATraceStartsThen() async {
        let trace = center.trace()
        var first = trace.makeAsyncIterator()
        center.post(Ping())
        var second = trace.makeAsyncIterator()
        center.post(Pong())
        let names = [await name(&first), await name(&first), await name(&second)]
        #expect(names == ["Ping", "Pong", "Pong"])
    }

    @Test func m9_noLockIsHeldWhileAnIteratorIsMade() {
        let isFree = Log<Bool>()
        let sequence = Log<ObservationSequence<Ping>>()
        center.post(Ping(), options: [.retained])
        let messages = center.messages(of: Ping.self).where { _ in
            for messages in sequence.all {
                isFree(finishesOnAnotherThread { _ = messages.pending })
            }
            return true
        }.replaying(.all).values
        sequence(messages)
        let iterators = [messages.makeAsyncIterator(), messages.makeAsyncIterator()]
        #expect(isFree.all == [true])
        withExtendedLifetime(iterators) {}
    }

    @Test func anIteratorThatIsMadeWhileItsSequenceIsCancelledEnds() async {
        for _ in 0..<200 {
            let messages = center.messages(of: Ping.self).values
            let ended = Log<Bool>()
            await runOnThreads([
                { messages.cancel() },
                {
                    let iterators = [messages.makeAsyncIterator(), messages.makeAsyncIterator()]
                    ended(iterators.count == 2)
                },
            ])
            #expect(ended.all == [true])
            #expect(center.count(of: Ping.self) == 0)
        }
    }
}
