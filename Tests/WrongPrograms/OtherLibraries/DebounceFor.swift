// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'debounced(for:)'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let token = center.messages(of: LoggedIn.self).debounce(for: .seconds(1)).observe { message in
        print(message.name)
    }
    print(token)
}
