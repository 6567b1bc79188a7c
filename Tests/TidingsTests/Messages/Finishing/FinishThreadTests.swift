// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTracing

/// Real threads that post and observe while another one finishes the center.
@Suite(.timeLimit(.minutes(15)))
struct FinishThreadTests {
    /// The kind of post that is in progress when the center finishes.
    enum Road: CaseIterable {
        /// Nothing but calls of handlers.
        case direct
        /// A post that does more than call handlers.
        case detour
        /// A post that is queued inside a handler.
        case queued
        /// A post behind a replay.
        case gated
    }

    @Test(arguments: Road.allCases)
    func m15_everyRecipientThatAPostCountedIsReached(road: Road) async {
        for _ in 0..<20 {
            let center = MessageCenter()
            let (called, counted) = (Log<Int>(), Log<Int>())
            let bag = ObservationBag()
            for _ in 0..<3 { center.observe(Ping.self) { called($0.number) }.store(in: bag) }
            let messages = center.messages(of: Ping.self).values
            if road == .detour { center.watch(delivered: { _ in }).store(in: bag) }
            if road == .queued {
                center.observe(Pong.self) { [weak center] message in
                    let ping = Ping(number: message.number)
                    if let center { counted(center.post(ping)) }
                }.store(in: bag)
            }
            let posting = { @Sendable in
                for number in 0..<200 {
                    if road == .queued {
                        center.post(Pong(number: number))
                        continue
                    }
                    if road == .gated, number.isMultiple(of: 20) {
                        center.messages(of: Ping.self).replaying(.all).observe { called($0.number) }
                            .store(in: bag)
                    }
                    counted(center.post(Ping(number: number)))
                }
            }
            await runOnThreads([posting, posting, { center.finish() }])
            var read = 0
            for await _ in messages { read += 1 }
            #expect(called.all.count + read == counted.all.reduce(0, +))
            #expect(center.post(Ping()) == 0)
            bag.cancelAll()
        }
    }

    @Test func m15_observationsThatOverlapItEnd() async {
        for _ in 0..<50 {
            let center = MessageCenter()
            let released = Log<Bool>()
            let bag = ObservationBag()
            let observing = { @Sendable in
                for number in 0..<20 {
                    let canary = Canary { released(true) }
                    let pings = center.messages(of: Ping.self)
                    let selection = number.isMultiple(of: 2) ? pings : pings.replaying(.all)
                    selection.observe { _ in canary.stay() }.store(in: bag)
                }
            }
            await runOnThreads([observing, observing, { center.finish() }])
            #expect(released.all.count == 40)
            #expect(center.count(of: Ping.self) == 0)
            bag.cancelAll()
        }
    }
}
