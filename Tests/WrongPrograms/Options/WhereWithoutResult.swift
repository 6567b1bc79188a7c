// SPDX-License-Identifier: Apache-2.0
// expect: closure result type 'Bool'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).where { print($0.name) }.observe { print($0.name) }
}
