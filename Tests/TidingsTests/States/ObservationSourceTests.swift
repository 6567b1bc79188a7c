// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

/// Publishers and a program's own types take the same handlers as a selection.
@Suite(.timeLimit(.minutes(15)))
struct ObservationSourceTests {
    private let publisher = StatePublisher(1)
    private let numbers = AsyncStream.makeStream(of: Int?.self)

    @Test func aPublisherTakesAnAsynchronousHandler() async {
        let token = publisher.observe { [numbers] state async in
            numbers.continuation.yield(state.value)
        }
        publisher.updateData(2)
        #expect(await firstTwo() == [1, 2])
        await token.cancelAndWait()
    }

    @Test func aPublisherIsObservedOnAnActor() async {
        let counter = Counter()
        publisher.observe(on: counter) { [numbers] counter, state in
            counter.assertIsolated()
            numbers.continuation.yield(state.value)
        }
        publisher.updateData(2)
        #expect(await firstTwo() == [1, 2])
    }

    @Test func aTypeOfAProgramIsObservedThroughItsSelection() {
        let player = Player(center: MessageCenter())
        let log = Log<String>()
        let token = player.observe { log($0.title) }
        player.center.post(Played(title: "Intro"))
        player.center.post(Played(title: "Blue"))
        #expect(log.all == ["Blue"])
        token.cancel()
    }

    private func firstTwo() async -> [Int?] {
        var found: [Int?] = []
        for await number in numbers.stream.prefix(2) { found.append(number) }
        return found
    }
}

private actor Counter {}

private struct Played: Message {
    let title: String
}

private struct Player: ObservationSource {
    let center: MessageCenter

    var selection: Selection<Played> {
        center.messages(of: Played.self).where { $0.title != "Intro" }
    }
}
