// SPDX-License-Identifier: Apache-2.0
// expect no error
import Tidings

struct Played: Message, Equatable { let title: String }

final class Album: Sendable {}

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter, _ album: Album) {
        center.messages(of: Played.self).about(album).where { $0.title != "Intro" }.priority(.high)
            .once().observe(owner: self, on: .main) { screen, message in
                screen.title = message.title
            }
        center.messages(of: Played.self).once().priority(.high).where { $0.title != "Intro" }
            .about(album).observe(owner: self, on: .main) { screen, message in
                screen.title = message.title
            }
        center.messages(of: Played.self).removingDuplicates().throttled(for: .seconds(1))
            .replaying(.last(1)).observe(owner: self, on: .main) { $0.title = $1.title }
        center.messages(of: Played.self).replaying(.last(1)).throttled(for: .seconds(1))
            .removingDuplicates().observe(owner: self, on: .main) { $0.title = $1.title }
    }
}
