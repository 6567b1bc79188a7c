// SPDX-License-Identifier: Apache-2.0
// expect: cannot find 'widht' in scope
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { message in
        for index in 0..<3 {
            if message.name.count > index {
                let width = message.name.count * 2
                print(widht)
            }
        }
    }
}
