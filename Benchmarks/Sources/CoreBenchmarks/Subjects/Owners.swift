// SPDX-License-Identifier: Apache-2.0
import Tidings

final class Target: Sendable {}

/// A center with `count` observers that are bound to owners.
final class OwnedPosting {
    private let center = MessageCenter()
    private let owners: [Target]

    init(_ count: Int) {
        owners = (0..<count).map { _ in Target() }
        for owner in owners {
            center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }
        }
    }

    var subject: Subject {
        Subject("post to \(owners.count) owners") { [self] in
            for number in 0..<$0 { center.post(Tick(number: number)) }
        }
    }
}

/// `count` weak loads and a call after each.
final class WeakLoads {
    private struct Slot {
        weak var target: Target?
    }

    private let slots: [Slot]
    private let targets: [Target]

    init(_ count: Int) {
        targets = (0..<count).map { _ in Target() }
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
