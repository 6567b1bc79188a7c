// SPDX-License-Identifier: Apache-2.0
// expect: cannot find 'widht' in scope
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .main) { screen, message in
            guard screen.title.isEmpty else { return }
            let width = message.name.count * 2
            screen.title = String(repeating: "-", count: widht)
        }
    }
}
