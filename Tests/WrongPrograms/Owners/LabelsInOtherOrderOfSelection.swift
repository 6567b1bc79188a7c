// SPDX-License-Identifier: Apache-2.0
// expect: 'owner' must precede argument 'on'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).once().observe(on: .main, owner: self) {
            screen,
            message in
            screen.title = message.name
        }
    }
}
