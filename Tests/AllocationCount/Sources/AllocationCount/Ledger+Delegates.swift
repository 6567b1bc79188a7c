// SPDX-License-Identifier: Apache-2.0
import Tidings

private protocol Listener: AnyObject, Sendable {
    func heard(_ number: Int)
}

private final class Ear: Listener {
    @inline(never)
    func heard(_ number: Int) {
        if number == .min { print("never") }
    }
}

extension Ledger {
    mutating func delegates() throws {
        for listeners in [1, 100] {
            let delegates = Delegates<any Listener>()
            let ears = (0..<listeners).map { _ in Ear() }
            for ear in ears { try delegates.add(ear) }
            count("notify \(listeners) delegates") { delegates.notify { $0.heard(1) } }
            withExtendedLifetime(ears) {}
        }
    }
}
