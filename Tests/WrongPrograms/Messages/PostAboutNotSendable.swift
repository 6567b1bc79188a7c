// SPDX-License-Identifier: Apache-2.0
// expect: 'Album' does not conform to the 'Sendable' protocol
import Tidings

struct LoggedIn: Message { let name: String }

final class Album { var title = "" }

func greet(_ center: MessageCenter, _ album: Album) {
    center.post(LoggedIn(name: "Ada"), about: album)
}
