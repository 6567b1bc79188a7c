// SPDX-License-Identifier: Apache-2.0
// expect warning: result of call to 'observe(
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) {
    center.observe(LoggedIn.self, on: .main) { message in print(message.name) }
}
