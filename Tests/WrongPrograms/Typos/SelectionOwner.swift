// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

final class Log: Sendable {
    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).once().observe(owner: self) { log, message in
            log.write(message.nmae)
        }
    }

    func write(_ text: String) { print(text) }
}
