// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).once().observe(owner: self, on: .main) {
            screen,
            message in
            screen.title = message.nmae
        }
    }
}
