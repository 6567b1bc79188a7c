// SPDX-License-Identifier: Apache-2.0
// expect: 'Int' to expected argument type 'ObservationPriority'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).priority(10).observe { message in print(message.name) }
}
