// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Tidings

protocol Receiver: AnyObject, Sendable {
    func receive(_ number: Int)
}

final class NumberReceiver: Receiver {
    func receive(_ number: Int) { work(number) }
}

/// A list of `count` delegates.
final class Notifying {
    private let delegates = Delegates<any Receiver>()
    private let receivers: [NumberReceiver]

    init(_ count: Int) throws {
        receivers = (0..<count).map { _ in NumberReceiver() }
        for receiver in receivers { try delegates.add(receiver) }
    }

    var subject: Subject {
        Subject("notify \(receivers.count) delegates") { [self] in
            for number in 0..<$0 { delegates.notify { $0.receive(number) } }
        }
    }
}
