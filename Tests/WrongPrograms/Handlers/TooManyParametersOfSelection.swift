// SPDX-License-Identifier: Apache-2.0
// expect: expects 1 argument, but 2 were used
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).once().observe { owner, message in print(message.name) }
}
