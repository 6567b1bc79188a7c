// SPDX-License-Identifier: Apache-2.0
// expect: write 'on: .main'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self, on: MainActor.shared) { message in print(message.name) }
}
