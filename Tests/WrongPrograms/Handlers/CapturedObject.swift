// SPDX-License-Identifier: Apache-2.0
// expect: capture of 'counter' with non-Sendable type 'Counter'
import Tidings

struct LoggedIn: Message { let name: String }

final class Counter { var value = 0 }

func start(_ center: MessageCenter, _ counter: Counter) -> ObservationToken {
    center.observe(LoggedIn.self) { _ in counter.value += 1 }
}
