// SPDX-License-Identifier: Apache-2.0
// expect: 'Counter' does not conform to the 'Sendable' protocol
import Tidings

struct LoggedIn: Message { let name: String }

final class Counter {
    var value = 0

    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).once().observe(owner: self) { counter, _ in
            counter.value += 1
        }
    }
}
