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

/// The center of a plain program, whose main actor is the main thread and runs in `dispatchMain`.
let center = MessageCenter()
let steps = Steps()
let token = center.observe(Step.self, on: .main) { step in
    MainActor.preconditionIsolated()
    steps.numbers.append(step.number)
    if step.number < 0 {
        precondition(steps.numbers == [0, 1, 2, 3, 4, -1], "order: \(steps.numbers)")
        print("M11 holds with a plain main")
        exit(0)
    }
}

center.post(Step(number: 0))
precondition(steps.numbers == [0], "a post on the main thread is inline")

let background = DispatchQueue(label: "background")
let posted = DispatchSemaphore(value: 0)
background.async {
    for number in 1...3 { center.post(Step(number: number)) }
    posted.signal()
}
posted.wait()
precondition(steps.numbers == [0], "posts of other threads are queued")
center.post(Step(number: 4))
precondition(steps.numbers == [0, 1, 2, 3, 4], "queued messages come before an inline call")

background.async { center.post(Step(number: -1)) }
dispatchMain()
