// SPDX-License-Identifier: Apache-2.0
// expect: post a value, as in 'post(LoggedIn())'
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) {
    center.post(LoggedIn.self)
}
