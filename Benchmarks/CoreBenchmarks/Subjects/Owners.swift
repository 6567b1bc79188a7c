// SPDX-License-Identifier: Apache-2.0
import Benchmarking

final class Owner: Sendable {}

/// `count` weak loads, each followed by a call.
final class WeakLoads {
    private struct Slot {
        weak var target: Owner?
    }

    private let slots: [Slot]
    private let targets: [Owner]

    init(_ count: Int) {
        targets = (0..<count).map { _ in Owner() }
        slots = targets.map { Slot(target: $0) }
    }

    @inline(never)
    private func load(_ number: Int) {
        for index in slots.indices {
            if let target = slots[index].target { withExtendedLifetime(target) { work(number) } }
        }
    }

    var subject: Subject {
        Subject("\(slots.count) weak loads") { [self] in
            for number in 0..<$0 { load(number) }
        }
    }
}
