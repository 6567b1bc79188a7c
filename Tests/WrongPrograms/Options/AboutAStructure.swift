// SPDX-License-Identifier: Apache-2.0
// expect: 'Album' expected to be an instance of a class
import Tidings

struct LoggedIn: Message { let name: String }

struct Album: Sendable {}

func start(_ center: MessageCenter, _ album: Album) -> ObservationToken {
    center.messages(of: LoggedIn.self).about(album).observe { message in print(message.name) }
}
