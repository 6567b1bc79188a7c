// SPDX-License-Identifier: Apache-2.0
// expect: declared closure result 'Int' is incompatible
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { message -> Int in message.name.count }
}
