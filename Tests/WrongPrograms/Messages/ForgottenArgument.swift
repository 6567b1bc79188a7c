// SPDX-License-Identifier: Apache-2.0
// expect: missing argument for parameter 'name'
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) {
    center.post(LoggedIn())
}
