// SPDX-License-Identifier: Apache-2.0
// expect: 'PostingOptions' has no member 'netsed'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    center.post(LoggedIn(name: "Ada"), options: [.netsed])
}
