// SPDX-License-Identifier: Apache-2.0
// expect: async -> Void' to parameter expecting synchronous function type
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
final class Screen {
    func show(_ text: String) async {}

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .main) { screen, message in
            await screen.show(message.name)
        }
    }
}
