// SPDX-License-Identifier: Apache-2.0
// expect: 'NextElement<LoggedIn>' has no member 'name'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) async throws {
    let message = try await center.messages(of: LoggedIn.self).next()
    print(message.name)
}
