// SPDX-License-Identifier: Apache-2.0
// expect: async -> ()' to parameter expecting synchronous function type
import Tidings

struct LoggedIn: Message { let name: String }

func upload(_ text: String) async {}

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(LoggedIn.self) { message in
        await upload(message.name)
    }
}
