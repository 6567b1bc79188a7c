// SPDX-License-Identifier: Apache-2.0
// expect: cannot convert value of type 'Int' to specified type 'String'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { message in
        let text: String = message.name.count
        print(text)
    }
}
