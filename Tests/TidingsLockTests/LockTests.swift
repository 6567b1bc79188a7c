// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock

private final class Counter: Sendable {
    let value = Lock(0)
}

@Suite(.timeLimit(.minutes(15)))
struct LockTests {
    @Test func countsEveryIncrementOfManyTasks() async {
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 { counter.value.withLock { $0 += 1 } }
                }
            }
        }
        #expect(counter.value.withLock { $0 } == 8_000)
    }
}
