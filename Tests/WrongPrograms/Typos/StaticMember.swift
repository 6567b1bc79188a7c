// SPDX-License-Identifier: Apache-2.0
// expect: has no member 'logedIn'
import Tidings

struct LoggedIn: Message { let name: String }

extension MessageType<LoggedIn> {
    static var loggedIn: MessageType { MessageType() }
}

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(.logedIn).observe { message in print(message.name) }
}
