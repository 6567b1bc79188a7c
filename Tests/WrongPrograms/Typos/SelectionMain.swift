// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

@MainActor
func greet(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).once().observe(on: .main) { message in
        let text = "hello, \(message.nmae)"
        print(text)
    }
}
