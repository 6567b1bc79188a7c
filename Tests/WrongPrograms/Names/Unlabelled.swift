// SPDX-License-Identifier: Apache-2.0
// expect: 'String' to expected argument type 'M.Type'
import Tidings

final class Log: Sendable {
    func start(_ center: MessageCenter) {
        center.observe("InternetConnect", owner: self) { name, object in print(name) }
    }
}
