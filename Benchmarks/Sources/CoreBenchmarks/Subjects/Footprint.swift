// SPDX-License-Identifier: Apache-2.0
import CTidingsHeap
import Tidings

/// The heap that observations take, counted by the allocator.
struct Footprint {
    private let count: Int

    init(_ count: Int) {
        self.count = count
    }

    /// Bytes of each live observation and its token.
    ///
    /// The caller's array of tokens is not counted, nor is what a closure captures. What takes
    /// more than five seconds is told of fewer.
    func closure() -> Double {
        perObservation { center, _ in center.observe(Tick.self) { work($0.number) } }
    }

    /// The same with an owner for each.
    ///
    /// The owner itself is not counted, what holding it weakly adds to it is.
    func owned() -> Double {
        perObservation { center, owner in
            center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }
        }
    }

    /// How much the heap has grown after `count` rounds of observe and cancel.
    func rounds() -> Double {
        let center = MessageCenter()
        // Of those who stay, the center may keep room for more.
        let token = center.observe(Tick.self) { work($0.number) }
        defer { token.cancel() }
        repeatRounds(on: center)
        let before = tidings_heap_in_use()
        repeatRounds(on: center)
        return Double(tidings_heap_in_use()) - Double(before)
    }

    private func repeatRounds(on center: MessageCenter) {
        for number in 0..<count {
            let token = center.observe(Tick.self) { work($0.number) }
            center.post(Tick(number: number))
            token.cancel()
        }
    }

    private func perObservation(
        _ observe: (MessageCenter, Target) -> ObservationToken
    ) -> Double {
        let owners = (0..<count).map { _ in Target() }
        // Before the tokens, so that it goes first: ending a million observations one by one is
        // not what is measured here.
        let center = MessageCenter()
        var tokens: [ObservationToken] = []
        tokens.reserveCapacity(count)
        let before = tidings_heap_in_use()
        let deadline = ContinuousClock.now + .seconds(5)
        for owner in owners {
            tokens.append(observe(center, owner))
            if tokens.count.isMultiple(of: 1_000), ContinuousClock.now > deadline { break }
        }
        center.post(Tick(number: 0))
        let after = withExtendedLifetime(center) { tidings_heap_in_use() }
        let made = Double(tokens.count)
        return withExtendedLifetime((owners, tokens)) { Double(after - before) / made }
    }
}
