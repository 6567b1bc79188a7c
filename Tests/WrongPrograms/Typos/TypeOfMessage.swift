// SPDX-License-Identifier: Apache-2.0
// expect: cannot find 'LogedIn' in scope
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(LogedIn.self) { message in print(message.name) }
}
