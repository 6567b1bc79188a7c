// SPDX-License-Identifier: Apache-2.0
// expect: 'PostingOptions' has no member 'sticky'
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) {
    center.post(LoggedIn(name: "Ada"), options: .sticky)
}
