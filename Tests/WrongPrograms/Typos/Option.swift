// SPDX-License-Identifier: Apache-2.0
// expect: has no member 'onse'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).onse().observe { message in print(message.name) }
}
