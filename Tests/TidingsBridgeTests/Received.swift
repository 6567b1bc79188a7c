// SPDX-License-Identifier: Apache-2.0
import TidingsLock
import TidingsTesting

/// The numbers that handlers received in order, for tests that wait for numbers.
final class Received: Sendable {
    private let numbers = Lock<[Int]>([])
    private let counter = WaitableCounter()

    func add(_ number: Int) {
        numbers.withLock { $0.append(number) }
        counter.add(1)
    }

    /// Waits for a number of calls and returns all numbers.
    func wait(for count: Int) async throws -> [Int] {
        try await counter.wait(for: count)
        return all
    }

    var all: [Int] { numbers.withLock { $0 } }
}
