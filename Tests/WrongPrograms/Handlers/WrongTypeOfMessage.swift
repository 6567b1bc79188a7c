// SPDX-License-Identifier: Apache-2.0
// expect: '@Sendable (LoggedOut) -> ()' to expected argument type '@Sendable (LoggedIn)
import Tidings

struct LoggedIn: Message { let name: String }

struct LoggedOut: Message {}

func greet(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { (message: LoggedOut) in print(message) }
}
