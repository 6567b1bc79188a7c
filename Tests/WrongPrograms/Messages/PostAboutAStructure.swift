// SPDX-License-Identifier: Apache-2.0
// expect: 'Album' expected to be an instance of a class
import Tidings

struct LoggedIn: Message { let name: String }

struct Album: Sendable { let title: String }

func greet(_ center: MessageCenter, _ album: Album) {
    center.post(LoggedIn(name: "Ada"), about: album)
}
