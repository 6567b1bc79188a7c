// SPDX-License-Identifier: Apache-2.0
// expect: expects 2 arguments, but 1 was used
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .main) { message in
            self.title = message.name
        }
    }
}
