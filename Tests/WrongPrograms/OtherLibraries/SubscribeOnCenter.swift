// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'observe(_:_:)'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let token = center.subscribe(LoggedIn.self) { message in print(message.name) }
    print(token)
}
