// SPDX-License-Identifier: Apache-2.0
// expect: main actor-isolated property 'title'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        let token = center.observe(LoggedIn.self) { message in self.title = message.name }
        print(token.hasEnded)
    }
}
