// SPDX-License-Identifier: Apache-2.0
// expect: write 'on: .main'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: MainActor.shared) { screen, message in
            screen.title = message.name
        }
    }
}
