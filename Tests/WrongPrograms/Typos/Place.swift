// SPDX-License-Identifier: Apache-2.0
// expect: 'MainIsolation' has no member 'mian'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .mian) { screen, message in
            screen.title = message.name
        }
    }
}
