// SPDX-License-Identifier: Apache-2.0
import Tidings

extension AllocationReport {
    mutating func posts() {
        for observers in [0, 1, 100] {
            let center = MessageCenter()
            let tokens = (0..<observers).map { _ in
                center.observe(Tick.self) { work($0.number) }
            }
            count("post to \(observers)") { center.post(Tick(number: 1)) }
            withExtendedLifetime(tokens) {}
        }
        ownedPosts()
        largeMessages()
    }

    private mutating func ownedPosts() {
        let center = MessageCenter()
        let owners = (0..<100).map { _ in Owner() }
        for owner in owners {
            center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }
        }
        count("post to 100 owners") { center.post(Tick(number: 1)) }
        withExtendedLifetime(owners) {}
    }

    private mutating func largeMessages() {
        let center = MessageCenter()
        let tokens = (0..<100).map { _ in center.observe(Letter.self) { work($0.numbers.3) } }
        let letter = Letter(text: String(repeating: "a text that is stored on the heap", count: 2))
        count("post of a large message to 100") { center.post(letter) }
        withExtendedLifetime(tokens) {}
    }

    /// Counts posts of one type on two threads, each of which counts only its own allocations.
    mutating func threadedPosts() {
        let center = MessageCenter()
        let token = center.observe(Tick.self) { work($0.number) }
        let begin = Barrier(2)
        let counts = inThreads(2) { _ in
            for number in 0..<3 { center.post(Tick(number: number)) }
            begin.wait()
            return allocationsOfThread {
                for number in 0..<AllocationReport.calls { center.post(Tick(number: number)) }
            }
        }
        let sum = counts.reduce(0, +)
        add("allocations: posts of two threads", sum, "in 2,000", expecting: 0)
        withExtendedLifetime(token) {}
    }

    /// Counts the blocks that cancelled observations leave, except some blocks that go together.
    mutating func blocksLeft() {
        let few = -64...64
        let center = MessageCenter()
        let token = center.observe(Tick.self) { work($0.number) }
        countLeft("10 x observe and cancel", in: few) {
            for _ in 0..<10 { center.observe(Tick.self) { work($0.number) }.cancel() }
        }
        countLeft("10 x observe, post and cancel", in: few) {
            for number in 0..<10 {
                let token = center.observe(Tick.self) { work($0.number) }
                center.post(Tick(number: number))
                token.cancel()
            }
        }
        withExtendedLifetime(token) {}
    }
}
