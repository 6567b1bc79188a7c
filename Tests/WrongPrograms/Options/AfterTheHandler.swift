// SPDX-License-Identifier: Apache-2.0
// expect: 'ObservationToken' has no member 'once'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).observe { message in print(message.name) }.once()
}
