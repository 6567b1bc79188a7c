// SPDX-License-Identifier: Apache-2.0
// expect: actor-isolated property 'names'
import Tidings

struct LoggedIn: Message { let name: String }

actor Library {
    var names: [String] = []

    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self) { library, message in
            library.names.append(message.name)
        }
    }
}
