// SPDX-License-Identifier: Apache-2.0
// expect: 'Selection<LoggedIn>' to conform to 'AsyncSequence'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) async {
    for await message in center.messages(of: LoggedIn.self) { print(message.name) }
}
