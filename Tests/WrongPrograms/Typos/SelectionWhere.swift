// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self)
        .where { $0.nmae != "Ada" }
        .observe { message in print(message.name) }
}
