// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import Tidings
import TidingsFoundation

/// Observations on a dispatch queue.
@Suite(.timeLimit(.minutes(15)))
struct DispatchQueueTests {
    private struct Counted: Message {
        let number: Int
    }

    private static let key = DispatchSpecificKey<Bool>()
    private let center = MessageCenter()

    private func makeQueue(_ attributes: DispatchQueue.Attributes) -> DispatchQueue {
        let queue = DispatchQueue(label: "observations", attributes: attributes)
        queue.setSpecific(key: Self.key, value: true)
        return queue
    }

    @Test(arguments: [false, true])
    func m13_messagesArriveInOrderOnTheQueue(isConcurrent: Bool) async {
        let queue = makeQueue(isConcurrent ? .concurrent : [])
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        let token = center.messages(of: Counted.self).observe(on: queue) { message in
            let isOnQueue = DispatchQueue.getSpecific(key: Self.key) == true
            continuation.yield(isOnQueue ? message.number : 0)
        }
        for number in 1...100 { center.post(Counted(number: number)) }
        await center.postAndWait(Counted(number: 101))
        continuation.finish()
        #expect(await Array(numbers) == Array(1...101))
        token.cancel()
    }

    @Test func m13_statesArriveInOrderOnTheQueue() async {
        let publisher = StatePublisher<Int>()
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        let token = publisher.states.observe(on: makeQueue([])) { state in
            let isOnQueue = DispatchQueue.getSpecific(key: Self.key) == true
            continuation.yield(isOnQueue ? state.value ?? 0 : -1)
            if state.value == 3 { continuation.finish() }
        }
        for number in 1...3 { publisher.updateData(number) }
        #expect(await Array(numbers) == [0, 1, 2, 3])
        token.cancel()
    }

    @Test func m13_messagesOfABusyQueueWaitAndAreDropped() async {
        let queue = makeQueue([])
        queue.suspend()
        let token = center.messages(of: Counted.self).buffering(.newest(2)).observe(on: queue) {
            _ in
        }
        for number in 1...10 { center.post(Counted(number: number)) }
        #expect(token.pending + token.dropped == 10)
        #expect(token.pending >= 2)
        queue.resume()
        await center.postAndWait(Counted(number: 11))
        #expect(token.pending == 0)
        token.cancel()
    }
}

extension Array {
    fileprivate init(_ sequence: AsyncStream<Element>) async {
        self = []
        for await element in sequence { append(element) }
    }
}
