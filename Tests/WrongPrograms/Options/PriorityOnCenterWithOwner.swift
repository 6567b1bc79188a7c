// SPDX-License-Identifier: Apache-2.0
// expect: write 'messages(of:).priority(priority).observe(owner:)'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, priority: .high, on: .main) { screen, message in
            screen.title = message.name
        }
    }
}
