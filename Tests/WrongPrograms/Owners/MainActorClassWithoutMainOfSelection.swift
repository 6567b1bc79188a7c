// SPDX-License-Identifier: Apache-2.0
// expect: main actor-isolated property 'title'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).once().observe(owner: self) { screen, message in
            screen.title = message.name
        }
    }
}
