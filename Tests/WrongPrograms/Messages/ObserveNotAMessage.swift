// SPDX-License-Identifier: Apache-2.0
// expect: requires that 'LoggedIn' conform to 'Message'
import Tidings

struct LoggedIn { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { print($0.name) }
}
