// SPDX-License-Identifier: Apache-2.0
import CBenchmarkHeap
import Tidings

/// The heap use of observations, counted by the allocator.
struct Footprint {
    private let count: Int

    init(_ count: Int) {
        self.count = count
    }

    /// Returns the bytes of a live observation and its token.
    ///
    /// The caller's array of tokens and the captures of the closure are not counted. After five
    /// seconds, the measurement stops and uses the observations that exist by then.
    func closure() -> Double {
        perObservation { center, _ in center.observe(Tick.self) { work($0.number) } }
    }

    /// Returns the bytes of a live observation with an owner, and its token.
    ///
    /// The owner is not counted, but the owner's side table for the weak reference is.
    func owned() -> Double {
        perObservation { center, owner in
            center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }
        }
    }

    /// Returns the growth of the heap over `count` rounds of observe and cancel.
    func rounds() -> Double {
        let center = MessageCenter()
        // With one permanent observer, the center may keep the capacity.
        let token = center.observe(Tick.self) { work($0.number) }
        defer { token.cancel() }
        repeatRounds(on: center)
        let before = heap_in_use()
        repeatRounds(on: center)
        return Double(heap_in_use()) - Double(before)
    }

    private func repeatRounds(on center: MessageCenter) {
        for number in 0..<count {
            let token = center.observe(Tick.self) { work($0.number) }
            center.post(Tick(number: number))
            token.cancel()
        }
    }

    private func perObservation(
        _ observe: (MessageCenter, Owner) -> ObservationToken
    ) -> Double {
        let owners = (0..<count).map { _ in Owner() }
        // The center is declared before the tokens and is therefore released first, because
        // cancelling a million observations individually would take too long.
        let center = MessageCenter()
        var tokens: [ObservationToken] = []
        tokens.reserveCapacity(count)
        let before = heap_in_use()
        let deadline = ContinuousClock.now + .seconds(5)
        for owner in owners {
            tokens.append(observe(center, owner))
            if tokens.count.isMultiple(of: 1_000), ContinuousClock.now > deadline { break }
        }
        center.post(Tick(number: 0))
        let after = withExtendedLifetime(center) { heap_in_use() }
        let made = Double(tokens.count)
        return withExtendedLifetime((owners, tokens)) { Double(after - before) / made }
    }
}
