// SPDX-License-Identifier: Apache-2.0
// expect: 'Int' to expected argument type 'String'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    center.post(LoggedIn(name: 3))
}
