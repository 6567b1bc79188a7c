// SPDX-License-Identifier: Apache-2.0
// expect: (Log, InternetConnected) -> ()' to expected argument type '@Sendable (String,
import Tidings

struct InternetConnected: Message { let network: String }

final class Log: Sendable {
    func start(_ center: MessageCenter) {
        center.observe(named: "InternetConnect", owner: self) {
            (log: Log, message: InternetConnected) in
            print(message.network)
        }
    }
}
