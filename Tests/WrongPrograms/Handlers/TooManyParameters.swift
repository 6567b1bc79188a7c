// SPDX-License-Identifier: Apache-2.0
// expect: expects 1 argument, but 2 were used
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { owner, message in print(message.name) }
}
