// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'where(_:)'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let token = center.messages(of: LoggedIn.self).filter { $0.name != "Ada" }.observe { message in
        print(message.name)
    }
    print(token)
}
