// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct ObservationSequenceTests {
    private let center = MessageCenter()

    /// Returns the buffered messages of a sequence.
    private func drain(_ messages: ObservationSequence<Ping>) async -> [Int] {
        messages.cancel()
        var numbers: [Int] = []
        for await message in messages { numbers.append(message.number) }
        return numbers
    }

    @Test func m14_receivesFromItsCreationOn() async {
        center.post(Ping(number: 0))
        let messages = center.messages(of: Ping.self).values
        center.post(Ping(number: 1))
        center.post(Ping(number: 2))
        #expect(await drain(messages) == [1, 2])
    }

    @Test(arguments: [
        (Buffering.newest(3), [8, 9, 10], 7),
        (.oldest(3), [1, 2, 3], 7),
        (.newest(1), [10], 9),
        (.unbounded, Array(1...10), 0),
    ])
    func m14_keepsWhatItsBufferingSaysAndCountsTheRest(
        buffering: Buffering,
        kept: [Int],
        dropped: Int
    ) async {
        let messages = center.messages(of: Ping.self).buffering(buffering).values
        for number in 1...10 { center.post(Ping(number: number)) }
        #expect(messages.dropped == dropped)
        #expect(await drain(messages) == kept)
    }

    @Test func m14_aBufferOfNewestZeroIsRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = Buffering.newest(0)
        }
        #expect(text(result).contains("A buffer holds at least 1 value"))
    }

    @Test func m14_aBufferOfOldestZeroIsRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = Buffering.oldest(0)
        }
        #expect(text(result).contains("A buffer holds at least 1 value"))
    }

    private func text(_ result: ExitTest.Result) -> String {
        String(decoding: result.standardErrorContent, as: UTF8.self)
    }

    @Test func m14_droppingSequenceAndIteratorEndsIt() {
        do {
            let iterator: ObservationSequence<Ping>.Iterator
            do {
                let messages = center.messages(of: Ping.self).values
                iterator = messages.makeAsyncIterator()
            }
            #expect(center.count(of: Ping.self) == 1)
            withExtendedLifetime(iterator) {}
        }
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func cancellingTheReaderEndsItAndNobodyElse() async {
        let other = center.messages(of: Ping.self).values
        let messages = center.messages(of: Ping.self).values
        let reader = Task {
            var numbers: [Int] = []
            for await message in messages { numbers.append(message.number) }
            return numbers
        }
        reader.cancel()
        #expect(await reader.value == [])
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(await drain(other) == [1])
    }

    @MainActor @Test func cancellingAReaderThatWaitsEndsIt() async throws {
        let messages = center.messages(of: Ping.self).values
        let read = MessageRecorder(Pong.self, on: center)
        // The reader stays on this actor, so the second wait has started when the test goes on.
        let reader = Task { @MainActor [center] in
            for await message in messages { center.post(Pong(number: message.number)) }
        }
        center.post(Ping(number: 1))
        _ = try await read.next()
        reader.cancel()
        await reader.value
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func endsWithItsCenterAfterWhatIsBuffered() async {
        var center: MessageCenter? = MessageCenter()
        let messages = center?.messages(of: Ping.self).values
        center?.post(Ping(number: 1))
        center = nil
        var numbers: [Int] = []
        if let messages { for await message in messages { numbers.append(message.number) } }
        #expect(numbers == [1])
    }

    @Test func aReaderThatWaitsIsWokenInOrder() async throws {
        let messages = center.messages(of: Ping.self).values
        let read = MessageRecorder(Pong.self, on: center)
        let reader = Task { [center] in
            for await message in messages { center.post(Pong(number: message.number)) }
        }
        for number in 0..<500 {
            center.post(Ping(number: number))
            if number % 50 == 0 { _ = try await read.first(number) }
        }
        #expect(try await read.first(500).map(\.number) == Array(0..<500))
        messages.cancel()
        await reader.value
    }
}
