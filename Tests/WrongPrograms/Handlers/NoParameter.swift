// SPDX-License-Identifier: Apache-2.0
// expect: expects 1 argument, which cannot be implicitly ignored
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { print("hello") }
}
