// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'cancel()'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let token = center.observe(LoggedIn.self) { message in print(message.name) }
    token.dispose()
}
