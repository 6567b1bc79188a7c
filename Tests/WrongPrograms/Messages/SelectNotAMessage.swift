// SPDX-License-Identifier: Apache-2.0
// expect: requires that 'LoggedIn' conform to 'Message'
import Tidings

struct LoggedIn { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).once().observe { print($0.name) }
}
