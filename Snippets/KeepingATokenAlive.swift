// SPDX-License-Identifier: Apache-2.0
// A token that lives until the end of the scope, even in an optimized build.
import Synchronization
import Tidings

struct Step: Message {}

let center = MessageCenter()

func countSteps(of work: () -> Void) -> Int {
    let steps = Mutex(0)
    let token = center.observe(Step.self) { _ in steps.withLock { $0 += 1 } }
    defer { token.cancel() }
    work()
    return steps.withLock { $0 }
}

print(countSteps { center.post(Step()) })
