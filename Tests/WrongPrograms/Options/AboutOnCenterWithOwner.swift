// SPDX-License-Identifier: Apache-2.0
// expect: write 'messages(of:).about(subject).observe(owner:)'
import Tidings

struct LoggedIn: Message { let name: String }

final class Album: Sendable {}

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter, _ album: Album) {
        center.observe(LoggedIn.self, owner: self, about: album, on: .main) { screen, message in
            screen.title = message.name
        }
    }
}
