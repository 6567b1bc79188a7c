// SPDX-License-Identifier: Apache-2.0
// expect: requires that 'Log' be a class type
import Tidings

struct LoggedIn: Message { let name: String }

struct Log: Sendable {
    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .main) { _, message in print(message.name) }
    }
}
