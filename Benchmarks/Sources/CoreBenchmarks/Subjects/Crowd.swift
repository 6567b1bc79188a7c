// SPDX-License-Identifier: Apache-2.0
import Benching
import Foundation
import Tidings

/// A center with `count` observers of one type, and one more that comes and goes.
final class Crowd {
    private let center = MessageCenter()
    private let tokens: [ObservationToken]

    /// The closures capture something, as those of the array that this is compared with do.
    init(_ count: Int) {
        let center = center
        tokens = (0..<count).map { index in
            center.observe(Tick.self) { work($0.number &+ index) }
        }
    }

    var observing: Subject {
        Subject("observe + cancel with \(tokens.count)") { [self] in
            for _ in 0..<$0 {
                center.observe(Tick.self) { work($0.number) }.cancel()
            }
        }
    }

    var observingAndPosting: Subject {
        Subject("observe + post + cancel with \(tokens.count)") { [self] in
            for number in 0..<$0 {
                let token = center.observe(Tick.self) { work($0.number) }
                center.post(Tick(number: number))
                token.cancel()
            }
        }
    }
}

/// A center with `count` observers that are bound to owners.
final class OwnedCrowd {
    private let center = MessageCenter()
    private let owners: [Target]

    init(_ count: Int) {
        owners = (0..<count).map { _ in Target() }
        for owner in owners {
            center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }
        }
    }

    var posting: Subject {
        Subject("post to \(owners.count) owners") { [self] in
            for number in 0..<$0 { center.post(Tick(number: number)) }
        }
    }

    /// One more observer comes and goes.
    var observing: Subject {
        Subject("observe + cancel with \(owners.count) owners") { [self] in
            let owner = Target()
            for _ in 0..<$0 {
                center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }.cancel()
            }
        }
    }
}

/// The same with closures in Foundation's center.
final class FoundationCrowd {
    private let center = NotificationCenter()
    private let name = Notification.Name("Tick")
    private let tokens: [any NSObjectProtocol]

    init(_ count: Int) {
        let (center, name) = (center, name)
        tokens = (0..<count).map { index in
            center.addObserver(forName: name, object: nil, queue: nil) { _ in work(index) }
        }
    }

    var observing: Subject {
        Subject("Foundation: add + remove with \(tokens.count)") { [self] in
            for _ in 0..<$0 {
                center.removeObserver(
                    center.addObserver(forName: name, object: nil, queue: nil) { _ in work(0) }
                )
            }
        }
    }
}
