// SPDX-License-Identifier: Apache-2.0
// expect: 'DispatchQueue' to expected argument type 'MainIsolation'
import Dispatch
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).observe(on: DispatchQueue.main) { message in
        print(message.name)
    }
}
