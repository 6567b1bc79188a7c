// SPDX-License-Identifier: Apache-2.0
// expect: (InternetConnected) -> ()' to expected argument type '@Sendable (UntypedMessage)
import Tidings

struct InternetConnected: Message { let network: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(named: "InternetConnect").observe { (message: InternetConnected) in
        print(message.network)
    }
}
