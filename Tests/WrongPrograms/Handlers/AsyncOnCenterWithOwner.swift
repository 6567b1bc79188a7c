// SPDX-License-Identifier: Apache-2.0
// expect: async -> Void' to parameter expecting synchronous function type
import Tidings

struct LoggedIn: Message { let name: String }

final class Uploader: Sendable {
    func start(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self) { uploader, message in
            await uploader.upload(message.name)
        }
    }

    func upload(_ text: String) async {}
}
