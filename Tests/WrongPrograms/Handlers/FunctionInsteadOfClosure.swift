// SPDX-License-Identifier: Apache-2.0
// expect: converting non-Sendable function value
import Tidings

struct LoggedIn: Message { let name: String }

final class Counter {
    func count(_ message: LoggedIn) {}
    func start(_ center: MessageCenter) -> ObservationToken {
        center.observe(LoggedIn.self, count)
    }
}
