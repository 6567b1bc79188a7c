// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'post(_:)'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    center.publish(LoggedIn(name: "Ada"))
}
