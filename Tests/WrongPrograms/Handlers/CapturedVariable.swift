// SPDX-License-Identifier: Apache-2.0
// expect: mutation of captured var 'count'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    var count = 0
    return center.observe(LoggedIn.self) { _ in count += 1 }
}
