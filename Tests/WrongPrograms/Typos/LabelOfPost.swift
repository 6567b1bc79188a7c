// SPDX-License-Identifier: Apache-2.0
// expect: expected 'name:'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    center.post(LoggedIn(nmae: "Ada"))
}
