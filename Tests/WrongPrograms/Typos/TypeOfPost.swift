// SPDX-License-Identifier: Apache-2.0
// expect: cannot find 'LogedIn' in scope
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    center.post(LogedIn(name: "Ada"))
}
