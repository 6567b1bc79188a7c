// SPDX-License-Identifier: Apache-2.0
// expect: write 'messages(of:).about(subject).observe'
import Tidings

struct LoggedIn: Message { let name: String }

final class Album: Sendable {}

func start(_ center: MessageCenter, _ album: Album) -> ObservationToken {
    center.observe(LoggedIn.self, about: album) { message in print(message.name) }
}
