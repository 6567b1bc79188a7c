// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tidings

struct Tick: Message {
    let number: Int
}

/// What every handler does.
@inline(never)
func work(_ number: Int) {
    if number == .min { print("never") }
}

/// The least that a center could do: a lock around an array of closures, copied and called.
final class Floor: Sendable {
    private let handlers = Mutex<[@Sendable (Int) -> Void]>([])

    init(_ count: Int) {
        handlers.withLock { handlers in
            for _ in 0..<count { handlers.append { work($0) } }
        }
    }

    @inline(never)
    func post(_ number: Int) {
        for handler in handlers.withLock({ $0 }) { handler(number) }
    }

    var subject: Subject {
        Subject(name: "floor", count: 200_000) { [self] in
            for number in 0..<$0 { post(number) }
        }
    }
}

/// The handlers alone.
@inline(never)
func loop(_ handlers: [@Sendable (Int) -> Void], _ number: Int) {
    for handler in handlers { handler(number) }
}

func loopSubject(_ count: Int) -> Subject {
    let handlers = (0..<count).map { _ in { @Sendable (number: Int) in work(number) } }
    return Subject(name: "loop", count: 2_000_000 / max(10, count)) {
        for number in 0..<$0 { loop(handlers, number) }
    }
}

/// A center with `count` observers.
final class Posting {
    let center = MessageCenter()
    let bag = ObservationBag()
    let count: Int

    init(_ count: Int) {
        self.count = count
        for _ in 0..<count { center.observe(Tick.self) { work($0.number) }.store(in: bag) }
    }

    var subject: Subject {
        Subject(name: "post", count: 2_000_000 / max(10, count)) { [self] in
            for number in 0..<$0 { center.post(Tick(number: number)) }
        }
    }
}

final class Target: Sendable {}

/// A center with `count` observers that are bound to owners.
final class OwnedPosting {
    let center = MessageCenter()
    let owners: [Target]

    init(_ count: Int) {
        owners = (0..<count).map { _ in Target() }
        for owner in owners {
            center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }
        }
    }

    var subject: Subject {
        Subject(name: "owned post", count: 20_000) { [self] in
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
        Subject(name: "weak loads", count: 20_000) { [self] in
            for number in 0..<$0 { load(number) }
        }
    }
}

protocol Listener: AnyObject, Sendable {
    func heard(_ number: Int)
}

final class Ear: Listener {
    func heard(_ number: Int) { work(number) }
}

/// A list with `count` delegates.
final class Notifying {
    let delegates = Delegates<any Listener>()
    let ears: [Ear]

    init(_ count: Int) throws {
        ears = (0..<count).map { _ in Ear() }
        for ear in ears { try delegates.add(ear) }
    }

    var subject: Subject {
        Subject(name: "notify", count: 10_000) { [self] in
            for number in 0..<$0 { delegates.notify { $0.heard(number) } }
        }
    }
}

/// A publisher with `count` owner-bound observers.
final class Publishing {
    let publisher = StatePublisher<Int>()
    let owners: [Target]

    init(_ count: Int) {
        owners = (0..<count).map { _ in Target() }
        for owner in owners {
            publisher.observe(owner: owner) { _, state in work(state.data ?? 0) }
        }
    }

    var subject: Subject {
        Subject(name: "change", count: 500_000 / max(10, owners.count)) { [self] in
            for number in 0..<$0 { publisher.updateData(number) }
        }
    }
}
