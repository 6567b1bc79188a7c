// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Synchronization

typealias Handler = @Sendable (Int) -> Void

/// The minimal center: a lock around an array of closures, which a post copies and calls.
final class Floor: Sendable {
    private let handlers: Mutex<[Handler]>

    init(_ count: Int) {
        handlers = Mutex((0..<count).map { _ in { work($0) } })
    }

    @inline(never)
    private func post(_ number: Int) {
        for handler in handlers.withLock({ $0 }) { handler(number) }
    }

    var subject: Subject {
        let count = handlers.withLock(\.count)
        return Subject("floor, \(count) closures") { [self] in
            for number in 0..<$0 { post(number) }
        }
    }
}

/// A loop over the handlers, without a center.
struct Loop {
    private let handlers: [Handler]

    init(_ count: Int) {
        handlers = (0..<count).map { _ in { work($0) } }
    }

    @inline(never)
    private static func run(_ handlers: [Handler], _ number: Int) {
        for handler in handlers { handler(number) }
    }

    var subject: Subject {
        Subject("loop, \(handlers.count) closures") {
            for number in 0..<$0 { Self.run(handlers, number) }
        }
    }
}

/// A list of closures that every change copies.
struct ArrayCopy {
    private let handlers: [Handler]

    /// The closures capture a value, so that copying a closure retains the value.
    init(_ count: Int) {
        handlers = (0..<count).map { index in { work($0 &+ index) } }
    }

    @inline(never)
    private static func copy(_ handlers: [Handler]) -> [Handler] {
        var copy = handlers
        copy[0] = copy[1]
        return copy
    }

    var subject: Subject {
        Subject("copy of \(handlers.count) closures") {
            for _ in 0..<$0 { work(Self.copy(handlers).count) }
        }
    }
}
