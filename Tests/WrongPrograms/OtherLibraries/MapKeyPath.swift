// SPDX-License-Identifier: Apache-2.0
// expect: convert the element in the handler, or map 'values'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let token = center.messages(of: LoggedIn.self).map(\.name).observe { name in print(name) }
    print(token)
}
