// SPDX-License-Identifier: Apache-2.0
// expect: expected member name or initializer call after type name
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn) { message in print(message.name) }
}
