// SPDX-License-Identifier: Apache-2.0
// expect: write 'owner:' before 'on:'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, on: .main, owner: self) { screen, message in
            screen.title = message.name
        }
    }
}
