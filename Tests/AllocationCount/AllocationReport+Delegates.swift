// SPDX-License-Identifier: Apache-2.0
import Tidings

private protocol Receiver: AnyObject, Sendable {
    func receive(_ number: Int)
}

private final class NumberReceiver: Receiver {
    @inline(never)
    func receive(_ number: Int) {
        if number == .min { print("never") }
    }
}

extension AllocationReport {
    mutating func delegates() throws {
        for delegateCount in [1, 100] {
            let delegates = Delegates<any Receiver>()
            let receivers = (0..<delegateCount).map { _ in NumberReceiver() }
            for receiver in receivers { try delegates.add(receiver) }
            count("notify \(delegateCount) delegates") { delegates.notify { $0.receive(1) } }
            withExtendedLifetime(receivers) {}
        }
    }
}
