// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn.Type' to expected argument type 'MessageType
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.messages(LoggedIn.self).once().observe { message in print(message.name) }
}
