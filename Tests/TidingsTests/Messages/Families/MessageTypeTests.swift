// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

extension MessageType<Ping> {
    fileprivate static var ping: MessageType { MessageType() }
}

extension MessageType<Pong> {
    fileprivate static var pong: MessageType { MessageType(Pong.self) }
}

@Suite(.timeLimit(.minutes(15)))
struct MessageTypeTests {
    private let center = MessageCenter()
    private let log = Log<Int>()

    @MainActor @Test func everyFormFindsTheTypeByItsStaticMember() {
        let owner = Owner()
        let tokens = [
            center.messages(.ping).observe { [log] message in log(message.number) },
            center.messages(.ping).observe(on: .main) { [log] in log($0.number + 1) },
            center.messages(.ping).observe(owner: owner) { [log] _, message in
                log(message.number + 2)
            },
            center.messages(.ping).observe(owner: owner, on: .main) { [log] in
                MainActor.assertIsolated()
                log($1.number + 3)
            },
            center.messages(.pong).observe { [log] in log(-$0.number) },
        ]
        #expect(center.post(Ping(number: 10)) == 4)
        #expect(center.post(Pong(number: 1)) == 1)
        #expect(log.all == [10, 11, 12, 13, -1])
        for token in tokens { token.cancel() }
    }

    @Test func theOptionsAreThoseOfTheOtherForms() {
        let subject = Canary()
        let token = center.messages(.ping).priority(.high).once().about(subject).where {
            $0.number > 1
        }.observe({ [log] message in log(message.number) })
        for number in 1...3 { center.post(Ping(number: number), about: subject) }
        #expect(log.all == [2])
        token.cancel()
    }

    @Test func sequencesFindItToo() async {
        let messages = center.messages(.ping).buffering(.newest(1)).values
        center.post(Ping(number: 1))
        center.post(Ping(number: 2))
        messages.cancel()
        var numbers: [Int] = []
        for await message in messages { numbers.append(message.number) }
        #expect(numbers == [2])
    }

    @MainActor @Test func asynchronousFormsFindItToo() async throws {
        let owner = Owner()
        let store = Store()
        let tokens = [
            center.messages(.ping).observe { [log] message in
                await Task.yield()
                log(message.number)
            },
            center.messages(.ping).observe(owner: owner) { [log] _, message in
                await Task.yield()
                log(message.number + 1)
            },
            center.messages(.ping).observe(on: store) { store, message in
                store.assertIsolated()
                store.numbers.append(message.number)
            },
            center.messages(.ping).observe { @MainActor [log] message in
                MainActor.assertIsolated()
                await Task.yield()
                log(message.number + 2)
            },
            center.messages(.ping).observe(owner: owner) { @MainActor [log] _, message in
                MainActor.assertIsolated()
                await Task.yield()
                log(message.number + 3)
            },
        ]
        let report = await center.postAndWait(Ping(number: 10))
        #expect(report.recipients == 5)
        #expect(log.all.sorted() == [10, 11, 12, 13])
        #expect(await store.numbers == [10])
        for token in tokens { token.cancel() }
    }
}

private actor Store {
    var numbers: [Int] = []
}
