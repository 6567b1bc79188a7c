// SPDX-License-Identifier: Apache-2.0
import Tidings

struct LoggedIn: Message {
    let name: String
}

let center = MessageCenter()
let token = center.observe(LoggedIn.self) { print("hello, \($0.name)") }
center.post(LoggedIn(name: "Ada"))
token.cancel()
