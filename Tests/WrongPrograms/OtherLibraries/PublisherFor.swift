// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'messages(of:)'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let publisher = center.publisher(for: LoggedIn.self)
    print(publisher)
}
