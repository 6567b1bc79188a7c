// SPDX-License-Identifier: Apache-2.0
import Tidings

struct Step: Message {
    let number: Int
}

@MainActor final class Steps {
    var numbers: [Int] = []
}

/// A program with an asynchronous `main`, in which the main actor moves between threads.
@main
enum AsyncMain {
    @MainActor static func main() async {
        let center = MessageCenter()
        let steps = Steps()
        let token = center.observe(Step.self, on: .main) { step in
            MainActor.preconditionIsolated()
            steps.numbers.append(step.number)
        }
        for round in 0..<200 {
            center.post(Step(number: round * 10))
            precondition(steps.numbers.last == round * 10, "a post on the main actor is inline")
            await Task.detached {
                for number in 1...3 { center.post(Step(number: round * 10 + number)) }
            }.value
            center.post(Step(number: round * 10 + 4))
            let expected = (0...4).map { round * 10 + $0 }
            precondition(Array(steps.numbers.suffix(5)) == expected, "order: \(steps.numbers)")
        }
        await queuedPostsAreDeliveredWithoutAnotherPost(center, steps)
        token.cancel()
        print("M11 holds with an asynchronous main")
    }

    @MainActor
    private static func queuedPostsAreDeliveredWithoutAnotherPost(
        _ center: MessageCenter,
        _ steps: Steps
    ) async {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let token = center.messages(of: Step.self).priority(.low).observe(on: .main) { step in
            if step.number == -2 { arrival.finish() }
        }
        await Task.detached {
            center.post(Step(number: -1))
            center.post(Step(number: -2))
        }.value
        for await _ in arrived {}
        precondition(Array(steps.numbers.suffix(2)) == [-1, -2], "queued posts keep their order")
        token.cancel()
    }
}
