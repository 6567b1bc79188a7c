// SPDX-License-Identifier: Apache-2.0
// expect: 'MainIsolation' has no member 'mian'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self, on: .mian) { message in print(message.name) }
}
