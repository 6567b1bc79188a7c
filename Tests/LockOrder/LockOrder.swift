// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Tidings

/// A number without synchronization.
///
/// The type is unchecked on purpose. `ordered` accesses the number in turns that only the
/// publisher's lock orders, and `race` also accesses the number outside the turns.
final class UnprotectedNumber: @unchecked Sendable {
    var number = 0
}

/// A program to run under the thread sanitizer.
///
/// `LockOrder ordered` is correct and must not be reported by the sanitizer. `LockOrder race` is
/// the same program with one access outside the turns, which the sanitizer must report.
@main
enum LockOrder {
    static func main() {
        let isRace = CommandLine.arguments.dropFirst().first == "race"
        let publisher = StatePublisher<Int>()
        let unprotected = UnprotectedNumber()
        publisher.updateData(0)
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            for round in 0..<200 {
                while publisher.lastData != round * 2 + side {}
                unprotected.number += 1
                publisher.updateData(round * 2 + side + 1)
                if isRace { unprotected.number += 1 }
            }
        }
        print("\(unprotected.number)")
    }
}
