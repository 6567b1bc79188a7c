// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

/// The release of all messages of a sequence without readers.
@Suite(.timeLimit(.minutes(15)))
struct SequenceReleaseTests {
    private struct Heavy: Message { let payload: Owner }

    private let center = MessageCenter()
    private let publisher = StatePublisher<Owner>()

    /// Posts a message and returns a check of whether the payload lives.
    private func post() -> () -> Bool {
        let payload = Owner()
        center.post(Heavy(payload: payload))
        return { [weak payload] in payload != nil }
    }

    @Test(arguments: [Buffering.unbounded, .newest(2), .oldest(2)])
    func m14_aDroppedSequenceReleasesWhatIsBuffered(buffering: Buffering) {
        var isAlive: [() -> Bool] = []
        do {
            let messages = center.messages(of: Heavy.self).buffering(buffering).values
            isAlive = [post(), post()]
            #expect(isAlive.map { $0() } == [true, true])
            withExtendedLifetime(messages) {}
        }
        #expect(isAlive.map { $0() } == [false, false])
    }

    @Test(arguments: [Buffering.unbounded, .newest(2), .oldest(2)])
    func m14_soDoesADroppedIteratorThatHasReadAPart(buffering: Buffering) async {
        var isAlive: [() -> Bool] = []
        do {
            var iterator = center.messages(of: Heavy.self).buffering(buffering).values
                .makeAsyncIterator()
            isAlive = [post(), post()]
            _ = await iterator.next()
            #expect(isAlive[1]())
        }
        #expect(isAlive.map { $0() } == [false, false])
    }

    @Test(arguments: [Buffering.unbounded, .newest(1), .newest(3), .oldest(3)])
    func m14_aDroppedSequenceOfStatesReleasesThem(buffering: Buffering) {
        weak var payload: Owner?
        do {
            let states = publisher.states.buffering(buffering).values
            do {
                let new = Owner()
                payload = new
                publisher.updateData(new)
            }
            publisher.startLoading()
            #expect(states.pending > 0)
            withExtendedLifetime(states) {}
        }
        publisher.reset()
        #expect(payload == nil)
    }

    @Test func m14_aCancelledSequenceReleasesItsFilter() {
        weak var canary: Canary?
        let messages: ObservationSequence<Heavy>
        do {
            let new = Canary()
            canary = new
            messages =
                center.messages(of: Heavy.self).where { _ in
                    new.stay()
                    return true
                }.values
        }
        #expect(canary != nil)
        messages.cancel()
        #expect(canary == nil)
    }
}
