// SPDX-License-Identifier: Apache-2.0
// expect: have 'name:object:', expected 'named:object:'
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) {
    center.post(name: "LoggedIn", object: "Ada")
}
