// SPDX-License-Identifier: Apache-2.0
// expect: not marked with 'try'
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) {
    center.post(LoggedIn(name: "Ada"), requiring: .recipient)
}
