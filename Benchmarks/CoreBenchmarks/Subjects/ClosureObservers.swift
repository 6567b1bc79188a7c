// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Foundation
import Tidings

/// A center with `count` closures as observers of one type.
final class ClosureObservers {
    private let center = MessageCenter()
    private let tokens: [ObservationToken]

    /// The closures capture a value, like the closures of `ArrayCopy`, for a fair comparison.
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

    /// Adds and cancels one more observer, by way of a selection with three options.
    ///
    /// Like a plain observer, this observer is the last in the order.
    var observingWithOptions: Subject {
        Subject("observe + cancel with three options") { [self] in
            for _ in 0..<$0 {
                center.messages(of: Tick.self).where { $0.number > 0 }.priority(.low).once()
                    .observe { work($0.number) }.cancel()
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

/// A center with `count` owner-bound observers.
final class OwnedObservers {
    private let center = MessageCenter()
    private let owners: [Owner]

    init(_ count: Int) {
        owners = (0..<count).map { _ in Owner() }
        for owner in owners {
            center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }
        }
    }

    var posting: Subject {
        Subject("post to \(owners.count) owners") { [self] in
            for number in 0..<$0 { center.post(Tick(number: number)) }
        }
    }

    /// Adds and cancels one more observer.
    var observing: Subject {
        Subject("observe + cancel with \(owners.count) owners") { [self] in
            let owner = Owner()
            for _ in 0..<$0 {
                center.observe(Tick.self, owner: owner) { _, tick in work(tick.number) }.cancel()
            }
        }
    }
}

/// A Foundation center with `count` closures as observers.
final class FoundationObservers {
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
