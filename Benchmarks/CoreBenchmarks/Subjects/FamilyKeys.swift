// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import CBenchmarkHeap
import Tidings
import TidingsResources

/// A family with `count` idle keys, where each new key replaces the oldest key.
final class FamilyKeys {
    private let count: Int
    private let family: ResourceFamily<Int, Int>
    private var next = 0

    init(_ count: Int) {
        self.count = count
        family = ResourceFamily(idleLimit: count) { $0 }
        for _ in 0..<count { addKey() }
    }

    private func addKey() {
        _ = family[next]
        next += 1
    }

    var adding: Subject {
        Subject("new key among \(count)") { [self] in
            for _ in 0..<$0 { addKey() }
        }
    }

    var finding: Subject {
        Subject("lookup among \(count) keys") { [self] in
            // The step visits the keys out of order, as screens do.
            for number in 0..<$0 {
                withExtendedLifetime(family[next - 1 - number * 7_919 % count]) { work(number) }
            }
        }
    }

    /// Returns the heap bytes of an idle key.
    static func footprint(_ count: Int) -> Double {
        let before = heap_in_use()
        let keys = FamilyKeys(count)
        return withExtendedLifetime(keys) { Double(heap_in_use() - before) / Double(count) }
    }
}
