// SPDX-License-Identifier: Apache-2.0
// expect: 'Double' to expected argument type 'Duration'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).debounced(for: 0.3).observe { message in
        print(message.name)
    }
}
