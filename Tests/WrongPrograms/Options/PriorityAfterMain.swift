// SPDX-License-Identifier: Apache-2.0
// expect: 'priority' must precede argument 'on'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .main, priority: .high) { screen, message in
            screen.title = message.name
        }
    }
}
