// SPDX-License-Identifier: Apache-2.0
// expect: write 'messages(of:).priority(priority).observe'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self, priority: .high) { message in print(message.name) }
}
