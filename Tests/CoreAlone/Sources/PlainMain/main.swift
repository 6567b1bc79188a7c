// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Tidings

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct Step: Message {
    let number: Int
}

@MainActor final class Steps {
    var numbers: [Int] = []
}

/// In a plain program the main actor is the main thread, and drains when `dispatchMain` runs.
let center = MessageCenter()
let steps = Steps()
let token = center.observe(Step.self, on: .main) { step in
    MainActor.preconditionIsolated()
    steps.numbers.append(step.number)
    if step.number < 0 {
        precondition(steps.numbers == [0, 1, 2, 3, 4, -1], "order: \(steps.numbers)")
        print("promise 11 holds with a plain main")
        exit(0)
    }
}

center.post(Step(number: 0))
precondition(steps.numbers == [0], "a post on the main thread is inline")

let elsewhere = DispatchQueue(label: "elsewhere")
let posted = DispatchSemaphore(value: 0)
elsewhere.async {
    for number in 1...3 { center.post(Step(number: number)) }
    posted.signal()
}
posted.wait()
precondition(steps.numbers == [0], "posts from elsewhere are queued")
center.post(Step(number: 4))
precondition(steps.numbers == [0, 1, 2, 3, 4], "what waits comes before an inline call")

elsewhere.async { center.post(Step(number: -1)) }
dispatchMain()
