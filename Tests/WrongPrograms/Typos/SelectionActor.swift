// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

actor Library {
    var names: [String] = []

    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).observe(on: self) { library, message in
            library.names.append(message.nmae)
        }
    }
}
