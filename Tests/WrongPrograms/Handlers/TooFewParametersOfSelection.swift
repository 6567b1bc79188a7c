// SPDX-License-Identifier: Apache-2.0
// expect: expects 2 arguments, but 1 was used
import Tidings

struct LoggedIn: Message { let name: String }

final class Log: Sendable {
    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).once().observe(owner: self) { message in
            print(message.name)
        }
    }
}
