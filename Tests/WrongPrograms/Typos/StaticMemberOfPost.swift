// SPDX-License-Identifier: Apache-2.0
// expect: has no member 'logedIn'
import Tidings

struct LoggedIn: Message { let name: String }

extension Message where Self == LoggedIn {
    static var loggedIn: LoggedIn { LoggedIn(name: "Ada") }
}

func start(_ center: MessageCenter) {
    center.post(.logedIn)
}
