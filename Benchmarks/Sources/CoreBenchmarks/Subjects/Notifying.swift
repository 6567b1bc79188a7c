// SPDX-License-Identifier: Apache-2.0
import Benching
import Tidings

protocol Listener: AnyObject, Sendable {
    func heard(_ number: Int)
}

final class Ear: Listener {
    func heard(_ number: Int) { work(number) }
}

/// A list with `count` delegates.
final class Notifying {
    private let delegates = Delegates<any Listener>()
    private let ears: [Ear]

    init(_ count: Int) throws {
        ears = (0..<count).map { _ in Ear() }
        for ear in ears { try delegates.add(ear) }
    }

    var subject: Subject {
        Subject("notify \(ears.count) delegates") { [self] in
            for number in 0..<$0 { delegates.notify { $0.heard(number) } }
        }
    }
}
