// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Tidings

/// A number without any protection of its own.
///
/// Unchecked because that is the point: `ordered` reaches it in turns that only the publisher's
/// lock orders, `race` does not.
final class Bare: @unchecked Sendable {
    var number = 0
}

/// `LockOrder ordered` is correct and must be silent under the thread sanitizer; `LockOrder race`
/// is the same program with one access outside the turns, and must be reported.
@main
enum LockOrder {
    static func main() {
        let isRace = CommandLine.arguments.dropFirst().first == "race"
        let publisher = StatePublisher<Int>()
        let bare = Bare()
        publisher.updateData(0)
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            for round in 0..<200 {
                while publisher.lastData != round * 2 + side {}
                bare.number += 1
                publisher.updateData(round * 2 + side + 1)
                if isRace { bare.number += 1 }
            }
        }
        print("\(bare.number)")
    }
}
