// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).intercept { message in
        message.nmae.isEmpty ? .drop : .deliver
    }
}
