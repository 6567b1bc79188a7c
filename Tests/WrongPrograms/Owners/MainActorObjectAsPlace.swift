// SPDX-License-Identifier: Apache-2.0
// expect: 'Screen' conform to 'Actor'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, on: self) { screen, message in
            screen.title = message.name
        }
    }
}
