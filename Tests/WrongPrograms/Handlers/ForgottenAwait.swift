// SPDX-License-Identifier: Apache-2.0
// expect: 'async' call in a function that does not support concurrency
import Tidings

struct LoggedIn: Message { let name: String }

func upload(_ text: String) async {}

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).observe { message in
        upload(message.name)
    }
}
