// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter, _ pool: any TaskExecutor) -> ObservationToken {
    center.messages(of: LoggedIn.self).observe(on: pool) { message in
        let text = message.nmae
        print(text)
    }
}
