// SPDX-License-Identifier: Apache-2.0
// expect: cannot find 'prnt' in scope
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { message in
        prnt("hello")
        print(message.name)
    }
}
