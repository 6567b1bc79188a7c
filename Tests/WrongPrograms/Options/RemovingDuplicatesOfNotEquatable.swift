// SPDX-License-Identifier: Apache-2.0
// expect: 'removingDuplicates()' on 'Selection' requires that 'LoggedIn' conform to 'Equatable'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).removingDuplicates().observe { print($0.name) }
}
