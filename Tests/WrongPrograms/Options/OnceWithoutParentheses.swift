// SPDX-License-Identifier: Apache-2.0
// expect: add () to call it
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).once.observe { message in print(message.name) }
}
