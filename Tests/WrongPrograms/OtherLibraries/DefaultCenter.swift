// SPDX-License-Identifier: Apache-2.0
// expect: 'shared' has been renamed to 'default'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    MessageCenter.shared.post(LoggedIn(name: "Ada"))
    print(center)
}
