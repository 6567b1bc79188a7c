// SPDX-License-Identifier: Apache-2.0
// expect: name the place where the handler stands: 'observe(on:)'
import Dispatch
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let token = center.messages(of: LoggedIn.self).receive(on: DispatchQueue.main).observe {
        message in
        print(message.name)
    }
    print(token)
}
